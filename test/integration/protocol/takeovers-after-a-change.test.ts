import { T0_MS } from '../../support/factories';
import { isClaim } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { byClock, putDays } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const YEAR = { dates: ['2020-01-01'] };
const OTHER_YEAR = { dates: ['2021-01-01'] };
const TARGET = { type: 'http', url: 'https://example.com/hook' };

const worldOfJob = async (every: string): Promise<{ world: PipelineWorld; jobId: string }> => {
  const world = await PipelineWorld.started(1);
  const { jobId } = await world.create(newJobAt(world, { schedule: { type: 'interval', every } }));
  return { world, jobId };
};

/** Kills the first executor that has claimed, before it reads the job. Tells whether it did. */
function killAfterClaim(world: PipelineWorld): () => boolean {
  let claimed = false;
  let killed = false;
  world.onExecutorCall = (call, kill) => {
    claimed ||= isClaim(call);
    if (!claimed || call.command !== 'BatchGetCommand') return;
    killed = true;
    world.onExecutorCall = undefined;
    kill();
  };
  return () => killed;
}

/** The executor that has claimed gets no row of a job for some seconds: `UnprocessedKeys`. */
function leaveJobsUnread(world: PipelineWorld): () => boolean {
  let claimed = false;
  let left = 14;
  world.dynamo.faults = {
    before: (call) => void (claimed ||= isClaim(call)),
    leaves: (table) => claimed && table === 'jobs' && left-- > 0,
  };
  return () => left <= 0;
}

// The claim comes after the change, so the change holds for every attempt.
test.each([
  ['dies', killAfterClaim],
  ['cannot read the job', leaveJobsUnread],
])('a takeover obeys a schedule that changed before the claim: the executor %s', async (_, fail) => {
  const { world, jobId } = await worldOfJob('97s');
  await world.run(90_000);
  const nightly = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  expect((await world.api('patchJob', { jobId }, nightly)).status).toBe(200);
  const failed = fail(world);
  await world.run(10 * MINUTE_MS);
  expect(failed()).toBe(true);
  expect(world.calls).toEqual([]);
});

test('a takeover does not call what fell due while the job was paused', async () => {
  const { world, jobId } = await worldOfJob('10s');
  await world.run(81_000);
  const pausedAtMs = world.clock.nowMs();
  expect((await world.api('pauseJob', { jobId })).status).toBe(200);
  world.on.executor = false;
  await world.run(20_000); // one record covers what fell due after 90 and 100 s
  const resumedAtMs = world.clock.nowMs();
  expect((await world.api('resumeJob', { jobId })).status).toBe(200);
  const failed = killAfterClaim(world);
  world.on.executor = true;
  await world.run(5 * MINUTE_MS);
  expect(failed()).toBe(true);
  const duesWhilePaused = world.calls
    .map(({ dueAtMs }) => dueAtMs)
    .filter((dueAtMs) => dueAtMs > pausedAtMs && dueAtMs <= resumedAtMs);
  expect(duesWhilePaused).toEqual([]);
});

// The claim is on time, and comes after the pause and after the patch, which records what was skipped. The
// second patch and the resumption are later changes. They do not prove that the claim came before the pause.
test('a takeover does not call what a patch has recorded as skipped, once the job is as before', async () => {
  const { world, jobId } = await worldOfJob('10s');
  await world.run(81_000);
  const pausedAtMs = world.clock.nowMs();
  expect((await world.api('pauseJob', { jobId })).status).toBe(200);
  world.on.executor = false;
  await world.run(20_000);
  const patchedAtMs = world.clock.nowMs();
  const nightly = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  expect((await world.api('patchJob', { jobId }, nightly)).status).toBe(200);
  const failed = killAfterClaim(world);
  world.on.executor = true;
  await world.run(10_000);
  const again = { schedule: { type: 'interval', every: '10s' } };
  expect((await world.api('patchJob', { jobId }, again)).status).toBe(200);
  await world.run(1_000);
  expect((await world.api('resumeJob', { jobId })).status).toBe(200);
  await world.run(5 * MINUTE_MS);
  expect(failed()).toBe(true);
  const duesWhilePaused = world.calls
    .map(({ dueAtMs }) => dueAtMs)
    .filter((dueAtMs) => dueAtMs > pausedAtMs && dueAtMs <= patchedAtMs);
  expect(duesWhilePaused).toEqual([]);
});

// The claim comes after the change of the schedule, and before another one, which is no proof that it came
// before the first one, too.
test.each([
  [
    'a change of its calendar',
    async (world: PipelineWorld) => {
      await world.clock.settle(world.api('putCalendar', { calendarId: 'freeze' }, OTHER_YEAR));
    },
  ],
  [
    'a pause and a resumption',
    async (world: PipelineWorld, jobId: string) => {
      expect((await world.api('pauseJob', { jobId })).status).toBe(200);
      await world.clock.advance(100);
      expect((await world.api('resumeJob', { jobId })).status).toBe(200);
    },
  ],
  [
    'another one',
    async (world: PipelineWorld, jobId: string) => {
      const weekly = { schedule: { type: 'cron', expression: '0 4 * * 1' } };
      expect((await world.api('patchJob', { jobId }, weekly)).status).toBe(200);
    },
  ],
  [
    'a new job with its id',
    async (world: PipelineWorld, jobId: string) => {
      expect((await world.api('deleteJob', { jobId })).status).toBe(204);
      const schedule = { type: 'cron', expression: '0 4 * * 1' };
      expect((await world.api('createJob', {}, { jobId, schedule, target: TARGET })).status).toBe(201);
    },
  ],
])(
  'a takeover obeys a schedule that changed before the claim, in spite of %s after it',
  async (_, change) => {
    const world = await PipelineWorld.started(1);
    await world.clock.settle(world.api('putCalendar', { calendarId: 'freeze' }, YEAR));
    const exclude = [{ calendar: 'freeze' }];
    const jobId = 'job';
    const schedule = { type: 'interval', every: '97s', exclude };
    expect((await world.api('createJob', {}, { jobId, schedule, target: TARGET })).status).toBe(201);
    await world.run(90_000);
    const nightly = { schedule: { type: 'cron', expression: '0 3 * * *', exclude } };
    expect((await world.api('patchJob', { jobId }, nightly)).status).toBe(200);
    const failed = killAfterClaim(world);
    await world.run(15_000);
    expect(failed()).toBe(true);
    await change(world, jobId);
    await world.run(10 * MINUTE_MS);
    expect(world.calls).toEqual([]);
  },
);

// Whether the first attempt has called is not known, so another one does.
test.each([
  ['claimed it before two changes of the schedule', async () => undefined],
  [
    'claimed it before them, and soon after a resumption',
    async (world: PipelineWorld, jobId: string) => {
      expect((await world.api('pauseJob', { jobId })).status).toBe(200);
      expect((await world.api('resumeJob', { jobId })).status).toBe(200);
    },
  ],
])('a takeover goes on if the attempt that died %s', async (_, before) => {
  const { world, jobId } = await worldOfJob('97s');
  await world.run(95_000);
  await before(world, jobId);
  const failed = killAfterClaim(world);
  await world.run(10_000);
  expect(failed()).toBe(true);
  for (const expression of ['0 3 * * *', '0 4 * * 1']) {
    const patch = { schedule: { type: 'cron', expression } };
    expect((await world.api('patchJob', { jobId }, patch)).status).toBe(200);
  }
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
});

// A patch excludes the day, and a change of that calendar allows it again. The request that changes it dies
// before it has replanned the job. Executors plan by the new calendar at once, so the first attempt calls.
test('a takeover goes on with what a calendar allowed at the claim, though the job was replanned later', async () => {
  const world = await PipelineWorld.started(1);
  const dueAtMs = T0_MS + 5 * MINUTE_MS;
  await putDays(world, ['2020-01-01'], 'past');
  await putDays(world, ['2026-12-01'], 'today');
  const job = { userId: 'alice', jobId: 'job' };
  const excluding = (...ids: string[]) => ({
    type: 'cron',
    expression: '* * * * *',
    exclude: ids.map((calendar) => ({ calendar })),
  });
  await byClock(world, 0, 'createJob', {}, { jobId: job.jobId, schedule: excluding('past'), target: TARGET });
  await world.run(4 * MINUTE_MS + 10_000);
  await byClock(world, 0, 'patchJob', { jobId: job.jobId }, { schedule: excluding('past', 'today') });
  await world.run(10_000);
  world.onCall = (stage, { command, input }, kill) => {
    const values = (input.ExpressionAttributeValues ?? {}) as Record<string, unknown>;
    if (stage !== 'api' || command !== 'UpdateCommand' || !values[':definition']) return;
    world.onCall = undefined;
    kill();
  };
  void world.api('putCalendar', { calendarId: 'today' }, { dates: ['2021-01-01'] });
  await world.run(10_000);
  expect(world.onCall).toBeUndefined();
  const isCalled = () => world.calls.some((call) => call.dueAtMs === dueAtMs);
  world.onExecutorCall = (_, kill) => {
    if (!isCalled()) return;
    world.onExecutorCall = undefined;
    kill();
  };
  world.behaviour = async (call, _signal, clock) => {
    if (call.dueAtMs === dueAtMs) await clock.sleep(10_000);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  await world.run(dueAtMs + 15_000 - world.clock.nowMs());
  expect(world.onExecutorCall).toBeUndefined();
  await putDays(world, ['2021-01-01'], 'today');
  await world.run(5 * MINUTE_MS);
  const row = world.executions(job).find((one) => one.dueAtMs === dueAtMs);
  expect(row).toMatchObject({ status: 'succeeded', fence: 2 });
});

describe('a takeover does not call what was claimed while the job was deleted, once the job is back', () => {
  const back = (world: PipelineWorld, jobId: string) => world.api('restoreJob', { jobId, number: '1' });

  test.each([
    ['restored', back],
    [
      'restored, deleted and restored again',
      async (world: PipelineWorld, jobId: string) => {
        await back(world, jobId);
        await world.run(10_000);
        expect((await world.api('deleteJob', { jobId })).status).toBe(204);
        return world.api('restoreJob', { jobId, number: '3' });
      },
    ],
    [
      'restored and changed',
      async (world: PipelineWorld, jobId: string) => {
        await back(world, jobId);
        return world.api('patchJob', { jobId }, { timeout: '17s' });
      },
    ],
  ])('%s: an occurrence', async (_, comesBack) => {
    const { world, jobId } = await worldOfJob('97s');
    await world.run(90_000);
    const deletedAtMs = world.clock.nowMs();
    expect((await world.api('deleteJob', { jobId })).status).toBe(204);
    const failed = killAfterClaim(world);
    await world.run(20_000);
    expect(failed()).toBe(true);
    const backAtMs = world.clock.nowMs();
    expect((await comesBack(world, jobId)).status).toBeLessThan(300);
    await world.run(10 * MINUTE_MS);
    const called = world.calls.map(({ dueAtMs }) => dueAtMs);
    expect(called.filter((dueAtMs) => dueAtMs > deletedAtMs && dueAtMs < backAtMs)).toEqual([]);
    expect(called).not.toEqual([]);
    expect(world.executions({ userId: 'alice', jobId })[0]).toMatchObject({
      status: 'cancelled',
      reason: 'deleted',
    });
  });

  test.each([
    ['what a user asked for', { target: TARGET }, 0],
    ['a task', { workflow: { tasks: { a: { target: TARGET, delay: '30s' } } } }, 1],
  ])('%s', async (_, work, begun) => {
    const world = await PipelineWorld.started(1);
    const jobId = 'job';
    expect((await world.api('putJob', { jobId }, { schedule: { type: 'none' }, ...work })).status).toBe(201);
    world.on.executor = begun > 0;
    await world.api('runJob', { jobId });
    await world.run(5_000);
    world.on.sweep = false; // it would end the run of a deleted job
    expect((await world.api('deleteJob', { jobId })).status).toBe(204);
    const failed = killAfterClaim(world);
    world.on.executor = true;
    await world.run(40_000);
    expect(failed()).toBe(true);
    expect((await world.api('restoreJob', { jobId, number: '1' })).status).toBe(201);
    world.on.sweep = true;
    await world.run(10 * MINUTE_MS);
    expect(world.calls).toEqual([]);
    const [ended] = world.executions({ userId: 'alice', jobId });
    expect(ended!.status).toBe(begun ? 'failed' : 'cancelled');
  });
});
