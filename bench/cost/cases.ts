import type { TargetResult } from '../../lambdas/core/domain/target-result';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { Plant } from './plant';
import { difference, type Totals } from './tally';

/** Jobs of one group fire at the same second; the first ten of them are what the others are measured beside. */
const FIRST = 10;
const MORE = 20;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const AHEAD_MS = 10 * MINUTE_MS;
const WARM_UP_MS = 6 * MINUTE_MS;
const WINDOW_MS = 2 * MINUTE_MS;
const LIFE_MS = 20 * MINUTE_MS;

/** What an occurrence costs is exact: totals of a larger run minus those of a smaller one, by how many it had more. */
export const CASES = {
  oneTime: () => wholeLives((plant) => oneTimeJob(plant)),
  recurringFire: () => steady({ type: 'cron', expression: '* * * * *' }, 1),
  subMinuteFire: () => steady({ type: 'interval', every: '10s', anchor: '2026-12-01T00:00:00Z' }, 6),
  retry,
  skipped,
  heartbeat,
  idleHour16: () => idleHour(16),
  idleHour64: () => idleHour(64),
} satisfies Record<string, () => Promise<Totals>>;

export type CaseName = keyof typeof CASES;

interface JobShape {
  schedule: object;
  overlap?: string;
  timeout?: string;
  maxRuns?: number;
}

async function create(plant: Plant, index: number, { schedule, timeout, ...rest }: JobShape): Promise<void> {
  const target = { type: 'http', url: 'https://hooks.example.com/jobs/nightly-report', timeout };
  const jobId = `job-${String(index).padStart(6, '0')}`;
  await plant.request('createJob', {}, { jobId, schedule, target, payload: { report: index }, ...rest });
}

/** A full minute, far enough ahead for a scanner to be the one who sends what is due then. */
const aheadOf = ({ clock }: Plant): string =>
  new Date(Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

const oneTimeJob = (plant: Plant): JobShape => ({ schedule: { type: 'at', at: aheadOf(plant) } });

/** From the request that creates a job to the last look at its entries, each of `MORE` jobs beside `FIRST` others. */
async function wholeLives(
  shapeOf: (plant: Plant) => JobShape,
  call?: (plant: Plant) => CallTarget,
): Promise<Totals> {
  const totalsOf = async (jobs: number) => {
    const plant = await Plant.started(1, { auditor: false });
    if (call) plant.call = call(plant);
    const shape = shapeOf(plant);
    for (let index = 0; index < jobs; index++) await create(plant, index, shape);
    await plant.run(LIFE_MS);
    return plant.totals();
  };
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), MORE);
}

/** One fire of jobs that have been firing for a while, `perMinute` times a minute each. */
async function steady(schedule: object, perMinute: number): Promise<Totals> {
  const totalsOf = async (jobs: number) => {
    const plant = await Plant.started(1, { auditor: false });
    for (let index = 0; index < jobs; index++) await create(plant, index, { schedule });
    // All jobs are there well before the window begins, and it begins at the same phase in both runs.
    await plant.run(WARM_UP_MS - (plant.clock.nowMs() % MINUTE_MS));
    const before = plant.totals();
    await plant.run(WINDOW_MS);
    return difference(plant.totals(), before);
  };
  const fires = MORE * perMinute * (WINDOW_MS / MINUTE_MS);
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), fires);
}

const SUCCEEDED: TargetResult = { outcome: 'succeeded', statusCode: 200, body: 'ok' };
const UNAVAILABLE: TargetResult = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' };

/** What a job that fails once has cost more than one that does not. */
async function retry(): Promise<Totals> {
  const failsOnce = await wholeLives(
    oneTimeJob,
    () =>
      async (_, { headers }) =>
        headers['quarterjack-attempt'] === '1' ? UNAVAILABLE : SUCCEEDED,
  );
  return difference(failsOnce, await wholeLives(oneTimeJob, () => async () => SUCCEEDED));
}

/** One occurrence of a job whose last execution is still going, with overlap `skip`. */
async function skipped(): Promise<Totals> {
  const RUNS = 3;
  const slow =
    (plant: Plant): CallTarget =>
    async () => {
      await plant.clock.sleep(5 * MINUTE_MS);
      return SUCCEEDED;
    };
  const runs =
    (maxRuns: number) =>
    (plant: Plant): JobShape => ({
      schedule: { type: 'cron', expression: '* * * * *', startAt: aheadOf(plant), maxRuns },
      overlap: 'skip',
      timeout: '10m',
    });
  return difference(await wholeLives(runs(1 + RUNS), slow), await wholeLives(runs(1), slow), RUNS);
}

/** A heartbeat comes every 8 s: what a call of 20 s costs more than one of 4 s, and waits longer, for each of its two heartbeats. */
async function heartbeat(): Promise<Totals> {
  const taking =
    (ms: number) =>
    (plant: Plant): CallTarget =>
    async () => {
      await plant.clock.sleep(ms);
      return SUCCEEDED;
    };
  const long = await wholeLives(oneTimeJob, taking(20 * SECOND_MS));
  return difference(long, await wholeLives(oneTimeJob, taking(4 * SECOND_MS)), 2);
}

/** An hour without a job. */
async function idleHour(shards: number): Promise<Totals> {
  const plant = await Plant.started(shards);
  await plant.run(WARM_UP_MS);
  const before = plant.totals();
  await plant.run(HOUR_MS);
  return difference(plant.totals(), before);
}
