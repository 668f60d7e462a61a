import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';

import { defineJob, serve } from '../../../client/jobs-in-code';
import { callLambda } from '../../../lambdas/core/delivery/call/lambda';
import type { Delivery } from '../../../lambdas/core/delivery/delivery';
import type { LambdaTarget } from '../../../lambdas/core/domain/target';
import { mockedClient } from '../../support/mocked-client';
import { newJobAt } from '../../support/new-job';
import { DUE_MS, offered, once } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const client = mockedClient(LambdaClient);
beforeEach(() => void client.reset());

const target: LambdaTarget = {
  type: 'lambda',
  functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:jobs',
};
const seen: unknown[] = [];
const order = defineJob({
  id: 'order',
  schema: z.object({ orderId: z.string() }),
  run: ({ payload }) => void seen.push(payload),
});
const other = defineJob({ id: 'other', run: () => undefined });

/** A function of jobs in code: as Lambda passes on what its handler returns or throws. */
function invoked(jobs: readonly object[]) {
  client.on(InvokeCommand).callsFake(async ({ Payload, ClientContext }: Record<string, string>) => {
    const clientContext = JSON.parse(Buffer.from(ClientContext!, 'base64').toString()) as object;
    try {
      const value = await serve(jobs).lambda(JSON.parse(String(Payload)), { clientContext });
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(value ?? null)) };
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      const text = JSON.stringify({ errorType, errorMessage });
      return { StatusCode: 200, FunctionError: 'Unhandled', Payload: Buffer.from(text) };
    }
  });
}

/** A world whose executors invoke this function for the job `order`. */
async function deployed(payload: unknown, ...jobs: object[]) {
  invoked(jobs);
  seen.length = 0;
  const world = await PipelineWorld.started(1);
  let delivery: Delivery;
  world.observe = (sent) => void (delivery = sent);
  world.behaviour = (_, signal) =>
    callLambda(target, delivery, { region: 'eu-central-1', role: undefined, signal });
  const retry = { ...newJobAt(world, {}).retry, maxAttempts: 3, jitter: 'none' as const };
  const job = await world.create(newJobAt(world, { jobId: 'order', schedule: once, target, payload, retry }));
  await world.run(DUE_MS - world.clock.nowMs() + 1_000);
  return { world, execution: () => world.executions(job)[0]! };
}

test('a job that its program never gets fails after its retries, as unknown-job', async () => {
  const { world, execution } = await deployed({ orderId: 'A-1' }, other);
  expect(execution()).toMatchObject({ status: 'retrying' });
  expect(execution()).not.toHaveProperty('reason');
  await world.run(10 * MINUTE_MS);
  expect(world.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'unknown-job' });
  const inbox = await world.api('listFailures', {}, undefined, {}, {});
  expect(inbox.body).toMatchObject({ items: [{ reason: 'unknown-job' }] });
});

test('a job whose name comes back before its last attempt succeeds', async () => {
  const { world, execution } = await deployed({ orderId: 'A-1' }, other);
  await world.run(MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'retrying', failures: 2 });
  invoked([order, other]);
  await world.run(10 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'succeeded' });
  expect(execution()).not.toHaveProperty('reason');
  expect(seen).toEqual([{ orderId: 'A-1' }]);
});

test('a payload that does not fit fails at once, as bad-payload, and a retry with another mends it', async () => {
  const { world, execution } = await deployed({ orderId: 5 }, order);
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'bad-payload' });
  expect(execution().result?.body).toContain('the payload is invalid: orderId: ');
  const { execId } = execution();
  const retried = await world.api(
    'retryExecution',
    { jobId: 'order', execId },
    { payload: { orderId: 'A-1' } },
  );
  expect(retried.status).toBe(202);
  await world.run(MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'succeeded' });
  expect(execution()).not.toHaveProperty('reason');
  expect(seen).toEqual([{ orderId: 'A-1' }]);
});

test('the last attempt gives the reason, whatever those before it have said', async () => {
  const { world, execution } = await deployed({ orderId: 'A-1' }, other);
  await world.run(MINUTE_MS);
  world.behaviour = () => ({ outcome: 'retriable', statusCode: 503, error: 'down' });
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toHaveLength(3);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'attempts-exhausted' });
});

test.each<[body: object, answered: string, ends: object]>([
  [{ retriable: false, reason: 'bad-payload' }, 'failed', { reason: 'bad-payload' }],
  [{ retriable: false, reason: 'unknown-job' }, 'failed', { reason: 'unknown-job' }],
  [{ retriable: false, reason: 'blocked-target' }, 'failed', { reason: 'fatal' }],
  [{ reason: 'bad-payload' }, 'retrying', {}],
  [{ reason: 'unknown-job', retryAfter: '1m' }, 'retrying', {}],
])('a worker that reports %j: %s', async (body, answered, ends) => {
  const { world, job, claim, report } = await offered();
  const [work] = await claim();
  expect((await report('failAttempt', work!, body)).body).toEqual({ status: answered });
  expect(world.executions(job)).toMatchObject([{ status: answered, ...ends }]);
});

test('a worker that has no such job fails it once its attempts are used up', async () => {
  const { world, job, claim, report } = await offered({
    retry: { ...newJobAt(new PipelineWorld(1), {}).retry, maxAttempts: 1 },
  });
  const [work] = await claim();
  await report('failAttempt', work!, { reason: 'unknown-job' });
  expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'unknown-job' }]);
});
