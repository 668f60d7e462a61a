import { noAnswer } from '../../support/dynamo/errors';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { isPut, isUserRetry } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const REQUEST_TIMEOUT_MS = 3_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const target = { type: 'http', url: 'https://example.com/hook' };
const SDK_TRIES = { maxAttempts: 5 };

/**
 * The first `tries` tries of a request get no answer. The next one is on its way for `frozenMs`: the API's
 * environment freezes with its response, and thaws with a later request.
 */
function abandon(world: PipelineWorld, matches: (call: Call) => boolean, tries: number, frozenMs: number) {
  let tried = 0;
  world.dynamo.faults = {
    async before(call) {
      if (!matches(call)) return;
      if (++tried > tries) return world.clock.sleep(frozenMs);
      await world.clock.sleep(REQUEST_TIMEOUT_MS);
      throw noAnswer();
    },
  };
}

const statusOf = async (world: PipelineWorld, jobId: string): Promise<unknown> =>
  ((await world.api('getJob', { jobId })).body as { status: unknown }).status;

test('a create that was abandoned stays undone: its user has seen 404 and deleted the job', async () => {
  const world = await PipelineWorld.started(1, 30, SDK_TRIES);
  abandon(world, (call) => isPut(call, 'jobs'), 3, 10 * MINUTE_MS);
  const body = { jobId: 'payout', schedule: at(T0_MS + 60 * MINUTE_MS), target };
  const creating = world.api('createJob', {}, body);
  await world.run(30_000);
  expect((await creating).status).toBe(503);
  expect((await world.api('getJob', { jobId: 'payout' })).status).toBe(404);
  expect((await world.api('deleteJob', { jobId: 'payout' })).status).toBe(404);
  await world.run(90 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  expect((await world.api('getJob', { jobId: 'payout' })).status).toBe(404);
});

test('a pause that was abandoned does not pause the job minutes later', async () => {
  const world = await PipelineWorld.started(1, 30, SDK_TRIES);
  const body = { jobId: 'minutely', schedule: { type: 'cron', expression: '* * * * *' }, target };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  await world.run(2 * MINUTE_MS);
  abandon(world, (call) => isPut(call, 'jobs'), 3, 20 * MINUTE_MS);
  const pausing = world.api('pauseJob', { jobId: 'minutely' });
  await world.run(15_000);
  expect((await pausing).status).toBe(503);
  expect(await statusOf(world, 'minutely')).toBe('active');
  await world.run(30 * MINUTE_MS);
  expect(await statusOf(world, 'minutely')).toBe('active');
});

// The entry of the retry is written first, and settled before the row of the execution says `retrying`.
test.each([
  ['without an Idempotency-Key', {}],
  ['with an Idempotency-Key', { 'idempotency-key': 'key-1' }],
])('a user retry that was abandoned and is repeated runs, %s', async (_, headers) => {
  const world = await PipelineWorld.started(1, 30, SDK_TRIES);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(120 * MINUTE_MS);
  const [failed] = world.executions(job);
  expect(failed).toMatchObject({ status: 'failed' });
  world.behaviour = () => ({ outcome: 'succeeded', statusCode: 200 });
  abandon(world, isUserRetry, 1, MINUTE_MS);
  const retry = () =>
    world.api('retryExecution', { jobId: job.jobId, execId: failed!.execId }, undefined, headers);
  const first = retry();
  await world.run(2 * MINUTE_MS);
  expect((await first).status).toBe(503);
  world.dynamo.faults = {};
  expect((await retry()).status).toBe(202);
  await world.run(5 * MINUTE_MS);
  for (let pass = 0; pass < 15; pass++) {
    await world.run(10 * MINUTE_MS);
    await world.audit();
  }
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});
