import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { TABLES } from '../../support/dynamo/memory-backend';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { newJobAt } from '../../support/new-job';
import { outageUntil, recordedSteps, recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const CHANGED_MS = T0_MS + 25 * MINUTE_MS + 10_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;

/** A job in an outage, up to its change. Its series ends minutes before that. */
async function worldInOutage(settings: Partial<Pick<Job, 'schedule'>> = {}) {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: EACH_MINUTE, ...settings }));
  const [sent] = world.queue.messages;
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, CHANGED_MS);
  return { world, job, sent: sent! };
}

// The scanner is far behind, so most of what the old state planned has no entry.
test.each([
  ['a new schedule', 'patchJob', { schedule: { type: 'cron', expression: '0 3 * * *' } }, 'superseded'],
  ['a pause', 'pauseJob', undefined, 'paused'],
  ['a delete', 'deleteJob', undefined, 'deleted'],
  ['a delete that is taken back', 'deleteJob', undefined, 'deleted'],
] as const)(
  '%s in an outage leaves a record of what fell due before',
  async (what, operation, body, reason) => {
    const { world, job } = await worldInOutage();
    const { jobId } = job;
    expect((await world.api(operation, { jobId }, body)).status).toBeLessThan(300);
    if (what.endsWith('taken back')) {
      await world.run(30_000);
      expect((await world.api('restoreJob', { jobId, number: '1' })).status).toBe(201);
      await world.api('pauseJob', { jobId });
    }
    await recover(world);
    const minutes = recordedSteps(world, job);
    expect([...minutes.keys()].filter((minute) => minute <= 25).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    expect(minutes.get(2)).toBe('succeeded');
    expect(minutes.get(24)).toBe(reason);
    // The job missed this before the pause.
    expect(minutes.get(22)).toBe(reason === 'paused' ? 'misfire' : reason);
    expect(world.calls.every(({ dueAtMs }) => dueAtMs < CHANGED_MS)).toBe(true);
  },
);

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
  expect([...recordedSteps(world, job).keys()]).toEqual(expect.arrayContaining([24, 25, 26, 34, 35]));
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
  expect(Math.max(...recordedSteps(world, job).keys())).toBe(20);
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
  expect(Math.max(...recordedSteps(world, job).keys())).toBe(25);
});
