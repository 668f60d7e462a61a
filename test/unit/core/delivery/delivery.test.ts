import { Webhook } from 'standardwebhooks';

import { SignatureError, verifyDelivery } from '../../../../client';
import { systemClock } from '../../../../lambdas/core/clock/system-clock';
import { MAX_DELIVERY_DEPTH } from '../../../../lambdas/core/contracts/loop-guard';
import { signingSecret } from '../../../../lambdas/core/delivery/signing/standard-webhooks';
import { deliveryOf } from '../../../../lambdas/core/delivery/delivery';
import { aJob, anExecution } from '../../../support/factories';

const [first, second] = [1, 2].map((version) =>
  signingSecret(Buffer.alloc(32, 5), 'alice', version, 'example.com'),
) as [string, string];
const legacy = signingSecret(Buffer.alloc(32, 5), 'alice', 1);
// the library accepts five minutes of difference to the wall clock
const sendWith = (...host: string[]) => ({
  secrets: { host, legacy: [] as string[] },
  nowMs: systemClock.nowMs(),
  dueAtMs: systemClock.nowMs(),
  trace: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` },
});

describe('a delivery', () => {
  const job = aJob({ payload: { invoice: 42, name: 'Zoë' } });

  it('is verified by the public library with its secret', () => {
    const { body, headers } = deliveryOf(anExecution({}), job, sendWith(first));
    expect(new Webhook(first).verify(body, headers)).toEqual(job.payload);
    expect(() => new Webhook(second).verify(body, headers)).toThrow();
  });

  it('is verified with the old and the new secret while both sign', () => {
    const { body, headers } = deliveryOf(anExecution({}), job, sendWith(second, first));
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [first, second])
      expect(new Webhook(secret).verify(body, headers)).toEqual(job.payload);
    const other = signingSecret(Buffer.alloc(32, 5), 'bob', 1);
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
  });

  it('is verified with the legacy secret too, while that signs along: only the body', () => {
    const send = { ...sendWith(first), secrets: { host: [first], legacy: [legacy] } };
    const { body, headers } = deliveryOf(anExecution({}), job, send);
    for (const secret of [first, legacy])
      expect(new Webhook(secret).verify(body, headers)).toEqual(job.payload);
    expect(verifyDelivery(body, headers, { secret: first }).headersSigned).toBe(true);
    expect(() => verifyDelivery(body, headers, { secret: legacy })).toThrow(SignatureError);
  });

  it('has a signature of all its own headers, whatever the target', () => {
    const reportBy = { callbackUrl: 'https://api.example.com/v1/attempts', token: 'dG9rZW4' };
    for (const send of [{}, { target: 1 }, { reportBy }, { target: 0, reportBy }]) {
      const { body, headers } = deliveryOf(anExecution({}), job, { ...sendWith(second, first), ...send });
      for (const secret of [second, first])
        expect(verifyDelivery(body, headers, { secret })).toMatchObject({ headersSigned: true });
      const { 'quarterjack-fence': _, ...others } = headers;
      for (const changed of [
        others,
        { ...headers, 'quarterjack-fence': '9' },
        { ...headers, 'quarterjack-x': '1' },
      ])
        expect(() => verifyDelivery(body, changed, { secret: first })).toThrow(SignatureError);
    }
  });

  it('is not signed without secrets, for targets of AWS', () => {
    const { headers } = deliveryOf(anExecution({}), job, { ...sendWith(), secrets: undefined });
    expect(Object.keys(headers).filter((name) => name.endsWith('-signature'))).toEqual([]);
  });

  it('has an id without dots, the same on every attempt', () => {
    const ids = [1, 2].map((attempt) => {
      const execution = anExecution({ attempt, fence: attempt });
      return deliveryOf(execution, job, sendWith(first)).headers['webhook-id'];
    });
    expect(ids[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('has its delivery depth in a header', () => {
    const deliveryDepthOf = (execution: object, ofJob: object) =>
      deliveryOf(anExecution(execution), aJob(ofJob), sendWith(first)).headers['quarterjack-hop'];
    expect(deliveryDepthOf({}, {})).toBe('1');
    expect(deliveryDepthOf({}, { deliveryDepth: 1 })).toBe('2');
    expect(deliveryDepthOf({ deliveryDepth: MAX_DELIVERY_DEPTH - 1 }, {})).toBe(String(MAX_DELIVERY_DEPTH));
  });

  it('never evaluates a text that looks like a template', () => {
    const payload = { a: "{{constructor.constructor('return process')()}}", b: '${env}', c: '<%= 1 %>' };
    const { body } = deliveryOf(anExecution({}), aJob({ payload }), sendWith(first));
    expect(JSON.parse(body.toString())).toEqual(payload);
  });
});
