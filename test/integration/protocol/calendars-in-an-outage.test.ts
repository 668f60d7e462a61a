import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { catchUpPacer } from '../../../lambdas/core/domain/plan-entry';
import { dispatchReplanned } from '../../../lambdas/sweeper/dispatch-replanned';
import { missingSteps, outageUntil, putDays, recordedSteps, recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const CHANGED_MS = T0_MS + 25 * MINUTE_MS + 10_000;
/** The world begins at half past eight of this day. */
const TODAY = '2026-12-01';
const until = (time: string) => ({ from: `${TODAY}T08:00`, to: `${TODAY}T${time}` });

/** A job that excludes a calendar, in an outage. Its series ends with an entry some minutes after T0. */
async function jobInOutage(maxRuns?: number) {
  const world = await PipelineWorld.started(1);
  await putDays(world, ['2020-01-01']);
  const { userId, jobId, target } = newJobAt(world, {});
  const schedule = {
    type: 'cron',
    expression: '* * * * *',
    exclude: [{ calendar: 'days' }],
    ...(maxRuns !== undefined && { maxRuns }),
  };
  expect((await world.api('createJob', {}, { jobId, schedule, target })).status).toBe(201);
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, CHANGED_MS);
  return { world, job: { userId, jobId } };
}

test('a pause leaves a record of what fell due before', async () => {
  const { world, job } = await jobInOutage();
  expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
  await recover(world);
  const minutes = recordedSteps(world, job);
  expect([missingSteps(minutes, 25), minutes.size, minutes.get(24)]).toEqual([[], 25, 'paused']);
});

test('a calendar that excludes the day leaves a record of what fell due before', async () => {
  const { world, job } = await jobInOutage();
  await putDays(world, [TODAY]);
  await recover(world);
  const minutes = recordedSteps(world, job);
  expect([missingSteps(minutes, 25), minutes.size, minutes.get(24)]).toEqual([[], 25, 'superseded']);
});

const between = (from: string, to: string) => ({ from: `${TODAY}T${from}`, to: `${TODAY}T${to}` });

test.each([
  ['all of it', ['2021-01-01'], [], { 9: 'misfire', 24: 'misfire', 30: 'succeeded' }],
  ['the end of it', [until('08:40')], [], { 9: 'superseded', 24: 'misfire', 30: 'succeeded' }],
  [
    'the beginning of it',
    [between('08:40', '08:57')],
    [26],
    { 8: 'misfire', 24: 'superseded', 30: 'succeeded' },
  ],
  [
    'a part of it',
    [until('08:40'), between('08:50', '08:57')],
    [26],
    { 9: 'superseded', 15: 'misfire', 24: 'superseded' },
  ],
])('what a changed calendar allows runs by the misfire policy: %s', async (_, dates, unplanned, expected) => {
  const { world, job } = await jobInOutage();
  await putDays(world, dates);
  await recover(world);
  const minutes = recordedSteps(world, job);
  expect(missingSteps(minutes, 30)).toEqual(unplanned);
  expect(Object.fromEntries(minutes)).toMatchObject(expected);
});

// The row of that occurrence is no proof that what follows was decided.
test('so does what follows an occurrence that its user has cancelled', async () => {
  const { world, job } = await jobInOutage();
  for (let minute = 1; minute < 25; minute++)
    await world.api('cancelExecution', { ...job, execId: execIdOfOccurrence(T0_MS + minute * MINUTE_MS) });
  await putDays(world, ['2021-01-01']);
  await recover(world);
  expect(missingSteps(recordedSteps(world, job), 30)).toEqual([]);
});

// A claim of what was replanned names the present revision, and so proves that its series goes on.
test('the entry that follows is written before a message of what was replanned is sent', async () => {
  const world = await PipelineWorld.started(1);
  await world.run(5 * MINUTE_MS);
  const job = newJobAt(world, { replannedAtMs: world.clock.nowMs() - 10_000 });
  await world.deps.jobs.create(job); // no process has written an entry of it
  const dueAtMs = T0_MS + 4 * MINUTE_MS;
  const order: (number | 'sent')[] = [];
  const { schedule, queue } = world.deps;
  const putEntries = schedule.putEntries.bind(schedule);
  jest.spyOn(schedule, 'putEntries').mockImplementation((entries) => {
    for (const entry of entries) if ('dueAtMs' in entry && !entry.catchUp) order.push(entry.dueAtMs);
    return putEntries(entries);
  });
  jest.spyOn(queue, 'send').mockImplementation(async (messages) => {
    if (messages.length > 0) order.push('sent');
  });
  const context = { deps: world.deps, pacer: catchUpPacer(world.clock.nowMs()) };
  await dispatchReplanned({ firstMs: dueAtMs, lastMs: dueAtMs }, job, context as never);
  expect(order[0]).toBe(dueAtMs + MINUTE_MS);
  expect(order).toContain('sent');
});

// What fell due through the change counts as planned then: 25 runs of 30.
test.each([
  ['none of it', '2021-01-01'],
  ['the first part of it', until('08:45')],
])('maxRuns counts on if a calendar excludes %s', async (_, dates) => {
  const { world } = await jobInOutage(30);
  await putDays(world, [dates]);
  await recover(world, 45 * MINUTE_MS);
  expect(Math.max(...world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS))).toBe(30);
});

test('a calendar that changes after the last of maxRuns adds none', async () => {
  const { world, job } = await jobInOutage(20);
  await putDays(world, ['2021-01-01']);
  await recover(world, 45 * MINUTE_MS);
  const minutes = recordedSteps(world, job);
  expect([missingSteps(minutes, 20), minutes.size]).toEqual([[], 20]);
});
