import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const target = { type: 'http', url: 'https://example.com/hook' };
const minutely = { jobId: 'minutely' };
const everyMinute = { type: 'cron', expression: '* * * * *' };

type Change = (world: PipelineWorld) => ReturnType<PipelineWorld['api']>;

const pause: Change = (world) => world.api('pauseJob', minutely);
const resume: Change = (world) => world.api('resumeJob', minutely);
const patchSchedule =
  (schedule: object): Change =>
  (world) =>
    world.api('patchJob', minutely, { schedule });

/** A job that has been paused for so long that no message is out. It is a second after a minute. */
async function pausedJob(schedule: object): Promise<PipelineWorld> {
  const world = await PipelineWorld.started(1);
  expect((await world.api('createJob', {}, { ...minutely, schedule, target })).status).toBe(201);
  await world.run(5 * SECOND_MS);
  expect((await pause(world)).status).toBe(200);
  await world.run(20 * MINUTE_MS - 4 * SECOND_MS);
  expect(world.clock.nowMs()).toBe(T0_MS + 20 * MINUTE_MS + SECOND_MS);
  return world;
}

/** Makes changes one after another, the last one by another clock. */
async function change(world: PipelineWorld, changes: readonly Change[], offsetMs: number): Promise<void> {
  for (const one of changes.slice(0, -1)) expect((await one(world)).status).toBeLessThan(300);
  world.clock.stepWall(offsetMs);
  expect((await changes.at(-1)!(world)).status).toBeLessThan(300);
  world.clock.stepWall(-offsetMs);
}

const minutesCalled = ({ calls }: PipelineWorld): number[] =>
  calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS).sort((a, b) => a - b);

// The twentieth minute lies between the two clocks. A change before the last one has decided on it.
test.each<[string, object, Change[], number[]]>([
  [
    'a resume after a change of the schedule',
    { type: 'interval', every: '1h' },
    [patchSchedule(everyMinute), resume],
    [21, 22],
  ],
  [
    'a resume after a change of the schedule, which counts its runs from then on',
    { type: 'interval', every: '1h' },
    [patchSchedule({ ...everyMinute, maxRuns: 1 }), resume],
    [21],
  ],
  ['a resume after another one', everyMinute, [resume, pause, resume], [21, 22]],
  ['a change of the schedule after a resume', everyMinute, [resume, patchSchedule({ maxRuns: 1 })], [21]],
])('%s, by a clock that is behind, plans nothing from before', async (_, schedule, changes, expected) => {
  const world = await pausedJob(schedule);
  await change(world, changes, -4 * SECOND_MS);
  await world.run(2 * MINUTE_MS + 30 * SECOND_MS);
  expect(minutesCalled(world)).toEqual(expected);
});

test('a job that a clock an hour ahead has changed runs on time after the next change', async () => {
  const world = await pausedJob({ type: 'interval', every: '1h' });
  await change(world, [resume], 0);
  await change(world, [patchSchedule({ every: '2h' })], 60 * MINUTE_MS);
  await change(world, [patchSchedule(everyMinute)], 0);
  await world.run(2 * MINUTE_MS + 30 * SECOND_MS);
  expect(minutesCalled(world)).toEqual([21, 22]);
});

// The deletion has recorded the twentieth minute as skipped.
test('a job that is created again, by a clock that is behind, does not run what the deletion recorded', async () => {
  const world = await pausedJob(everyMinute);
  const remove: Change = () => world.api('deleteJob', minutely);
  const create: Change = () => world.api('createJob', {}, { ...minutely, schedule: everyMinute, target });
  await change(world, [remove, create], -4 * SECOND_MS);
  await world.run(2 * MINUTE_MS + 30 * SECOND_MS);
  expect(minutesCalled(world)).toEqual([21, 22]);
});
