import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { TABLES } from '../../support/dynamo/memory-backend';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const CHANGED_MS = T0_MS + 25 * MINUTE_MS + 10_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;

/** A world without ticks and sweeps, up to the change of a job. Its series ends minutes before that. */
async function worldInOutage(
  settings: Partial<Pick<Job, 'schedule'>> = {},
  create = (world: PipelineWorld, job: Job): Promise<Job> => world.create(job),
) {
  const world = await PipelineWorld.started(1);
  const job = await create(world, newJobAt(world, { schedule: EACH_MINUTE, ...settings }));
  const [sent] = world.queue.messages;
  await world.run(3 * MINUTE_MS);
  world.on.tick = false;
  world.on.sweep = false;
  await world.run(CHANGED_MS - world.clock.nowMs());
  return { world, job, sent: sent! };
}

/** The minutes through the change that a record covers, and what each says. */
function recorded(world: PipelineWorld, job: Job): Map<number, string | undefined> {
  const minutes = new Map<number, string | undefined>();
  for (const { dueAtMs, skipped, status, reason } of world.executions(job))
    for (let atMs = dueAtMs; atMs <= Math.max(dueAtMs, skipped?.toMs ?? 0); atMs += MINUTE_MS)
      minutes.set((atMs - T0_MS) / MINUTE_MS, reason ?? status);
  return minutes;
}

async function recover(world: PipelineWorld): Promise<void> {
  world.on.tick = true;
  world.on.sweep = true;
  await world.tick();
  await world.run(10 * MINUTE_MS);
}

// The scanner is far behind, so most of what the old state planned has no entry.
test.each([
  ['a new schedule', 'patchJob', { schedule: { type: 'cron', expression: '0 3 * * *' } }, 'superseded'],
  ['a pause', 'pauseJob', undefined, 'paused'],
  ['a delete', 'deleteJob', undefined, 'deleted'],
] as const)('%s in an outage leaves a record of what fell due before', async (_, operation, body, reason) => {
  const { world, job } = await worldInOutage();
  const { jobId } = job;
  expect((await world.api(operation, { jobId }, body)).status).toBeLessThan(300);
  await recover(world);
  const minutes = recorded(world, job);
  expect([...minutes.keys()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
  expect(minutes.get(2)).toBe('succeeded');
  expect(minutes.get(24)).toBe(reason);
  expect(world.calls.every(({ dueAtMs }) => dueAtMs < CHANGED_MS)).toBe(true);
});

test('so does a change before the job was deleted and created again', async () => {
  const { world, job } = await worldInOutage();
  const { jobId } = job;
  const definition = { jobId, schedule: EACH_MINUTE, target: job.target };
  const daily = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  expect((await world.api('patchJob', { jobId }, daily)).status).toBe(200);
  const minutely = { schedule: { type: 'interval', every: '1m', anchor: new Date(T0_MS).toISOString() } };
  expect((await world.api('patchJob', { jobId }, minutely)).status).toBe(200);
  await world.run(10 * MINUTE_MS);
  expect((await world.api('deleteJob', { jobId })).status).toBe(204);
  expect((await world.api('createJob', {}, definition)).status).toBe(201);
  await recover(world);
  expect([...recorded(world, job).keys()]).toEqual(expect.arrayContaining([24, 25, 26, 34, 35]));
});

test('each of two changes in an outage ends a series of its own', async () => {
  const { world, job } = await worldInOutage();
  const { jobId } = job;
  const hourly = { schedule: { type: 'interval', every: '30s', anchor: new Date(T0_MS).toISOString() } };
  expect((await world.api('patchJob', { jobId }, hourly)).status).toBe(200);
  await world.run(20 * MINUTE_MS);
  expect((await world.api('pauseJob', { jobId })).status).toBe(200);
  await recover(world);
  const recordedThroughMs = Math.max(
    ...world.executions(job).map(({ dueAtMs, skipped }) => skipped?.toMs ?? dueAtMs),
  );
  expect(recordedThroughMs).toBe(T0_MS + 45 * MINUTE_MS);
});

// A scanner that read the job before the change sends a message after it. The new schedule has that time too.
test('what runs by a message that comes after the change is not recorded as skipped', async () => {
  const { world, job, sent } = await worldInOutage();
  const dueAtMs = T0_MS + 25 * MINUTE_MS;
  const change = { schedule: { type: 'cron', expression: '*/5 * * * *' } };
  expect((await world.api('patchJob', { jobId: job.jobId }, change)).status).toBe(200);
  world.on.sweep = true;
  await world.run(10_000);
  const message = { ...sent, dueAtMs, startAtMs: dueAtMs, execId: execIdOfOccurrence(dueAtMs) };
  await world.queue.send([{ message, delaySec: 0 }]);
  await recover(world);
  expect(world.calls.filter((call) => call.dueAtMs === dueAtMs)).toHaveLength(1);
  const ranges = world.executions(job).filter(({ skipped }) => skipped);
  expect(Math.max(...ranges.map(({ skipped }) => skipped!.toMs))).toBe(dueAtMs - MINUTE_MS);
});

test('what maxRuns does not allow gets no record', async () => {
  const { world, job } = await worldInOutage({ schedule: { ...EACH_MINUTE, maxRuns: 20 } });
  expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
  await recover(world);
  expect(Math.max(...recorded(world, job).keys())).toBe(20);
});

test('a change on time leaves no record of what runs', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '10s' } }));
  await world.run(3 * MINUTE_MS);
  const change = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  expect((await world.api('patchJob', { jobId: job.jobId }, change)).status).toBe(200);
  await world.run(5 * MINUTE_MS);
  const rows = world.executions(job).filter(({ dueAtMs }) => dueAtMs <= T0_MS + 3 * MINUTE_MS);
  expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 'succeeded'));
});

/** Whether a request keeps a state, and whether as a deleted one. */
function keeps({ command, input }: Call): 'state' | 'deleted' | undefined {
  const values = (input.ExpressionAttributeValues ?? {}) as Record<string, unknown>;
  if (command !== 'UpdateCommand' || values[':definition'] === undefined) return undefined;
  return values[':removed'] ? 'deleted' : 'state';
}

// A change and a delete read the same state. The change keeps it last, and loses the race.
test('a change that loses to a delete does not take the delete from the kept state', async () => {
  const { world, job } = await worldInOutage();
  const { jobId } = job;
  let keptByPatch = false;
  world.dynamo.faults = {
    async before(call) {
      if (keeps(call) === 'state') {
        await world.clock.sleep(1_000); // after the delete has kept it
        keptByPatch = true;
      } else if (call.command === 'DeleteCommand') await world.clock.sleep(2_000);
      else if (call.command === 'PutCommand' && call.input.TableName === TABLES.jobs)
        await world.clock.sleep(3_000);
    },
  };
  const patch = world.api('patchJob', { jobId }, { name: 'other' });
  const deleted = world.api('deleteJob', { jobId });
  await world.run(5_000);
  expect((await deleted).status).toBe(204);
  expect((await patch).status).toBe(404);
  world.dynamo.faults = {};
  expect(keptByPatch).toBe(true);
  await recover(world);
  expect(Math.max(...recorded(world, job).keys())).toBe(25);
});

async function putDays(world: PipelineWorld, dates: readonly (string | { from: string; to: string })[]) {
  const answer = await world.clock.settle(world.api('putCalendar', { calendarId: 'days' }, { dates }));
  expect(answer.status).toBeLessThan(300);
}

describe('a job with a calendar', () => {
  const allMinutes = Array.from({ length: 25 }, (_, index) => index + 1);

  const jobInOutage = () =>
    worldInOutage({}, async (world, job) => {
      await putDays(world, ['2020-01-01']);
      const { userId, jobId, target } = job;
      const schedule = { ...EACH_MINUTE, exclude: [{ calendar: 'days' }] };
      expect((await world.api('createJob', {}, { jobId, schedule, target })).status).toBe(201);
      return (await world.deps.jobs.get({ userId, jobId }))!;
    });

  test('has a record of what fell due before it was paused in an outage', async () => {
    const { world, job } = await jobInOutage();
    expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
    await recover(world);
    const minutes = recorded(world, job);
    expect([...minutes.keys()].sort((a, b) => a - b)).toEqual(allMinutes);
    expect(minutes.get(24)).toBe('paused');
  });

  test('has a record of what fell due before its calendar excluded the day, in an outage', async () => {
    const { world, job } = await jobInOutage();
    await putDays(world, ['2026-12-01']);
    await recover(world);
    const minutes = recorded(world, job);
    expect([...minutes.keys()].sort((a, b) => a - b)).toEqual(allMinutes);
    expect(minutes.get(24)).toBe('superseded');
  });

  test.each([
    ['all of it', '2021-01-01', [1, 30]],
    ['the end of it', { from: '2026-12-01T08:00', to: '2026-12-01T08:40' }, [10, 30]],
  ])(
    'runs by its misfire policy what its changed calendar allows: %s',
    async (_, dates, [firstMin, lastMin]) => {
      const { world, job } = await jobInOutage();
      await putDays(world, [dates]);
      await recover(world);
      const minutes = recorded(world, job);
      expect(minutes.get(24)).toBe('misfire');
      expect(minutes.get(30)).toBe('succeeded');
      const all = Array.from({ length: lastMin! - firstMin! }, (__, index) => minutes.has(firstMin! + index));
      expect(all).not.toContain(false);
    },
  );
});
