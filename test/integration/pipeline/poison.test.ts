import { PutCommand } from '../../../lambdas/core/store/dynamo/commands';

import { execIdOfOccurrence, jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const BROKEN_AT_MS = T0_MS + 7 * MINUTE_MS;
const SOUND_AT_MS = T0_MS + 17 * MINUTE_MS;

/** Two one-time jobs on one shard; what belongs to the earlier one is then made unreadable. */
async function twoJobs() {
  const world = await PipelineWorld.started(1);
  const due = (jobId: string, atMs: number) =>
    world.create(newJobAt(world, { jobId, schedule: { type: 'at', at: new Date(atMs).toISOString() } }));
  const broken = await due('broken', BROKEN_AT_MS);
  const sound = await due('sound', SOUND_AT_MS);
  const overwrite = (table: string, row: Record<string, unknown>) =>
    world.dynamo.send(new PutCommand({ TableName: table, Item: row }));
  return { world, broken, sound, overwrite };
}

async function expectSoundToRun(
  world: PipelineWorld,
  sound: { userId: string; jobId: string },
): Promise<void> {
  expect(world.executions(sound)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls.map(({ dueAtMs }) => dueAtMs)).toEqual([SOUND_AT_MS]);
  expect(world.calls[0]!.atMs - SOUND_AT_MS).toBeLessThan(200);
  for (const kind of ['scan', 'sweep'] as const) {
    const cursors = await world.deps.schedule.readCursors(kind, [0]);
    expect(cursors.get(0)!.minute).toBeGreaterThanOrEqual(minuteOf(world.clock.nowMs()) - 1);
  }
}

test('a job whose row cannot be read holds up no other job of its shard, and is reported', async () => {
  const { world, broken, sound, overwrite } = await twoJobs();
  await overwrite('jobs', { userId: broken.userId, jobId: broken.jobId, v: 1 });
  await world.run(20 * MINUTE_MS);
  await expectSoundToRun(world, sound);
  expect(world.log.messages('error')).toEqual(expect.arrayContaining(['entries quarantined']));
});

test('an execution whose row cannot be read holds up no other job of its shard, and is reported', async () => {
  const { world, broken, sound, overwrite } = await twoJobs();
  world.behaviour = ({ dueAtMs }) =>
    dueAtMs === BROKEN_AT_MS
      ? { outcome: 'retriable', error: 'busy', retryAfterMs: 7 * MINUTE_MS }
      : { outcome: 'succeeded', statusCode: 200 };
  await world.run(8 * MINUTE_MS); // its retry waits, to be planned by the scanner
  expect(world.executions(broken)).toEqual([expect.objectContaining({ status: 'retrying' })]);
  world.calls.length = 0;
  await overwrite('executions', { jobId: jobKeyOf(broken), execId: execIdOfOccurrence(BROKEN_AT_MS) });
  await world.run(12 * MINUTE_MS);
  await expectSoundToRun(world, sound);
  expect(world.log.messages('error')).toEqual(expect.arrayContaining(['entry filed again in an hour']));
});

test('an execution that kills five executors in a row, before each call, ends as crashed', async () => {
  const world = await PipelineWorld.started(1);
  world.onExecutorCall = ({ command }, kill) => {
    if (command === 'BatchGetCommand') kill(); // it has claimed, and reads the job
  };
  const schedule = { type: 'at' as const, at: new Date(T0_MS + 30_000).toISOString() };
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(10 * MINUTE_MS);
  const [execution] = world.executions(job);
  expect(execution).toMatchObject({ status: 'failed', reason: 'crashed', attempt: 5, fence: 5, failures: 0 });
  expect(execution!.attempts.map(({ outcome }) => outcome)).toEqual(Array(5).fill('lost'));
  expect(world.calls).toEqual([]);
});
