import { isRetriedStatus } from '../../../lambdas/core/domain/retry-policy';
import type { Delivery } from '../../../lambdas/core/delivery/delivery';
import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DUE_MS = T0_MS + 30_000;
const URL = 'https://example.com/hook';

/** A one-time job, created by the API, whose targets answer `statuses` in turn: one for each call. */
async function answering(statuses: readonly number[], definition: object) {
  const world = await PipelineWorld.started(1);
  const left = [...statuses];
  let delivery: Delivery;
  world.observe = (sent) => (delivery = sent);
  world.behaviour = () => {
    const statusCode = left.shift() ?? 200;
    if (statusCode === 200) return { outcome: 'succeeded', statusCode };
    return { outcome: isRetriedStatus(statusCode, delivery.retryOn) ? 'retriable' : 'fatal', statusCode };
  };
  const schedule = { type: 'at', at: new Date(DUE_MS).toISOString() };
  const target = { type: 'http', url: URL };
  const created = await world.api('createJob', {}, { jobId: 'a', schedule, target, ...definition });
  expect(created.status).toBe(201);
  await world.run(10 * MINUTE_MS);
  return { world, execution: world.executions({ userId: 'alice', jobId: 'a' })[0]! };
}

const FIXED = { maxAttempts: 4, initialDelay: '1m', multiplier: 1, jitter: 'none' };

test('a job decides which statuses are retried, and each fixed delay is equal', async () => {
  const { world, execution } = await answering([409, 503, 409], { retry: { ...FIXED, on: [409, '5xx'] } });
  expect(execution).toMatchObject({ status: 'succeeded', attempt: 4 });
  expect(world.calls.map(({ atMs }) => Math.floor((atMs - DUE_MS) / MINUTE_MS))).toEqual([0, 1, 2, 3]);
});

test('a status that the job does not name is fatal, although it is retried by default', async () => {
  const { world, execution } = await answering([429], { retry: { ...FIXED, on: [409] } });
  expect(execution).toMatchObject({ status: 'failed', reason: 'fatal' });
  expect(world.calls).toHaveLength(1);
});

test('a job without the fields keeps the default', async () => {
  const { execution } = await answering([429, 503], { retry: { maxAttempts: 3 } });
  expect(execution).toMatchObject({ status: 'succeeded', attempt: 3 });
});

test('the statuses count for each of several targets', async () => {
  const target = { type: 'http', url: URL };
  const several = { target: undefined, targets: [target, target], retry: { ...FIXED, on: [409] } };
  const { world, execution } = await answering([409, 409], several);
  expect(execution).toMatchObject({ status: 'succeeded', attempt: 2 });
  expect(world.calls.filter((call) => call.target === 1)).toHaveLength(2);
});

test('an execution says when its next attempt starts, until it has ended', async () => {
  const { world, execution } = await answering(Array(11).fill(503), { retry: { ...FIXED, maxAttempts: 12 } });
  const shown = async () =>
    (await world.api('getExecution', { jobId: 'a', execId: execution.execId })).body as Record<
      string,
      unknown
    >;
  const { startAtMs } = world.executions({ userId: 'alice', jobId: 'a' })[0]!;
  expect(await shown()).toMatchObject({
    status: 'retrying',
    nextAttemptAt: new Date(startAtMs!).toISOString(),
  });
  await world.run(2 * MINUTE_MS);
  expect(await shown()).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
});
