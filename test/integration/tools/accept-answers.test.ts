import type { LambdaClient } from '@aws-sdk/client-lambda';

import type { CheckOnAws } from '../../../scripts/accept/check';
import { sharedOf } from '../../../scripts/accept/site/shared';
import { STEPS } from '../../../scripts/accept/steps';
import { anAwsSite } from '../../support/accept/aws-site';

// Answers that a sound deployment may give: they break no promise.

const CHECKS = STEPS.flatMap(({ checks }) => checks);
const throttle = (overrides: Parameters<typeof anAwsSite>[0]) =>
  CHECKS.find((one): one is CheckOnAws => one.name === 'front-door/throttle')!.run(anAwsSite(overrides));

describe('the throttle', () => {
  const template = (ThrottlingBurstLimit: number) => () => ({
    Resources: {
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: { DefaultRouteSettings: { ThrottlingBurstLimit } },
      },
    },
  });

  test('is asked for twice the burst of the template', async () => {
    let asked = 0;
    const fetched = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('', { status: asked++ < 40 ? 200 : 429 }));
    expect(await throttle({ template: template(40) })).toEqual({
      holds: true,
      detail: '40 of 80 requests at once were answered 429',
    });
    fetched.mockRestore();
  });

  test('is not tried where the burst is above 500: a sound deployment need not refuse any', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not asked'));
    expect(await throttle({ template: template(2_000) })).toMatchObject({
      applies: false,
    });
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });
});

describe('an answer 503, whose outcome is unknown', () => {
  const apiAnswering = (...answers: object[]) => {
    const keys: unknown[] = [];
    const send = async ({ input }: { input: { Payload: string } }) => {
      const { headers } = JSON.parse(input.Payload) as { headers: Record<string, string> };
      keys.push(headers['idempotency-key']);
      return { Payload: Buffer.from(JSON.stringify(answers.shift())) };
    };
    const shared = sharedOf('api', { send } as unknown as LambdaClient, async () => undefined);
    return { shared, keys };
  };
  const batch = (status: number) => ({
    statusCode: 207,
    body: JSON.stringify({ outcomes: [{ index: 0, status }] }),
  });

  test('is repeated under the same key, for a request and for an item of a batch', async () => {
    const one = apiAnswering({ statusCode: 503 }, { statusCode: 200, body: '{}' });
    expect((await one.shared.api({ operation: 'listFailures' })).status).toBe(200);
    expect(new Set(one.keys).size).toBe(1);
    const many = apiAnswering(batch(503), batch(201), batch(201));
    expect((await many.shared.api({ operation: 'createJobs', body: {} })).body).toEqual({
      outcomes: [{ index: 0, status: 201 }],
    });
    await many.shared.api({ operation: 'createJobs', body: {} });
    expect([many.keys.length, new Set(many.keys).size]).toEqual([3, 2]);
  });

  test('is the answer, if it comes four times', async () => {
    const busy = apiAnswering(...Array.from({ length: 4 }, () => ({ statusCode: 503 })));
    expect((await busy.shared.api({ operation: 'listFailures' })).status).toBe(503);
    expect(busy.keys).toHaveLength(4);
  });
});
