import { isClaim } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
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
