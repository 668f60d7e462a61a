import { SEGMENT_ITEMS } from '../../lambdas/core/contracts/execution-keys';
import type { TargetResult } from '../../lambdas/core/domain/target-result';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { parseDuration } from '../../lambdas/core/schedule/duration';
import { keyQuestion, tokenQuestion } from './authorizer-questions';
import type { DeploymentOptions } from './deployment-options';
import { createJob, type JobShape, TRACEPARENT, TRACESTATE } from './jobs';
import { MeteredDeployment } from './metered-deployment';
import { difference, type Totals } from './usage';

/** All jobs fire at the same second. The first ten are the baseline of the others. */
const FIRST = 10;
const MORE = 20;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const AHEAD_MS = 10 * MINUTE_MS;
const WARM_UP_MS = 6 * MINUTE_MS;
const WINDOW_MS = 2 * MINUTE_MS;
const CLAIMED_AFTER_MS = 2 * SECOND_MS;
const LIFE_MS = 20 * MINUTE_MS;

/**
 * The cost of an occurrence is exact: the totals of a larger run minus those of a smaller one, per
 * occurrence.
 */
export const SCENARIOS = {
  oneTime: () => wholeLives((deployment) => oneTimeJob(deployment)),
  /** As `oneTime`, with a trace of 55 bytes, and of 300. */
  tracedOneTime: () => wholeLives((deployment) => ({ ...oneTimeJob(deployment), headers: TRACEPARENT })),
  tracedWithState: () =>
    wholeLives((deployment) => ({ ...oneTimeJob(deployment), headers: { ...TRACEPARENT, ...TRACESTATE } })),
  recurringFire: () => steady({ type: 'cron', expression: '* * * * *' }, 1),
  /** As `recurringFire`, for jobs of a project with a notification. */
  notifiedFire: () =>
    steady({ type: 'cron', expression: '* * * * *' }, 1, undefined, async (deployment) =>
      deployment.request('putNotification', { id: 'ops' }, NOTIFICATION),
    ),
  /** As `recurringFire`, with the journal of ends: thirty end in ten seconds. */
  journaledFire: () => followedFire('journal'),
  /** As `journaledFire`, with two run tags and an external id. */
  labelledFire: () => followedFire('journal', LABELS),
  /** As `recurringFire`, with spans of every execution: thirty end in ten seconds. */
  recordedFire: () => followedFire('spans'),
  /** As `recurringFire`, with packs. So many are due in one slot. */
  packedFire1: () => packedFire(1),
  packedFire3: () => packedFire(3),
  packedFire10: () => packedFire(10),
  packedFire30: () => packedFire(30),
  subMinuteFire: () => steady({ type: 'interval', every: '10s', anchor: '2026-12-01T00:00:00Z' }, 6),
  delayedRun: () => delayedRun(),
  retry,
  skipped,
  heartbeat,
  workflow: () => wholeRuns(5),
  workflowTask,
  fanOutItem: () => fanOutItem(),
  workerFire,
  workerUnclaimed: () => unclaimed('10m'),
  workflowRun: () => steady({ type: 'interval', every: '1m' }, 1, { tasks: tasksInSequence(1) }),
  tokenQuestion,
  keyQuestion,
  idleHour4: () => idleHour(4),
  idleHour16: () => idleHour(16),
  idleHour64: () => idleHour(64),
} satisfies Record<string, () => Promise<Totals>>;

type Labels = Pick<JobShape, 'runTags' | 'externalId'>;
const LABELS: Labels = { runTags: ['report:{{ payload.report }}', 'all'], externalId: '{{ run.id }}' };

const NOTIFICATION = {
  on: ['failed', 'skipped', 'late', 'recovered'],
  lateAfter: '5m',
  target: { type: 'http', url: 'https://hooks.example.com/ops' },
};

export type ScenarioName = keyof typeof SCENARIOS;

/** A full minute, far enough ahead that the scanner dispatches what is due then. */
const aheadOf = ({ clock }: MeteredDeployment): string =>
  new Date(Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

const oneTimeJob = (deployment: MeteredDeployment): JobShape => ({
  schedule: { type: 'at', at: aheadOf(deployment) },
});

/**
 * From the request that creates a job to the last recheck of its entries, for each of `MORE` jobs beside
 * `FIRST` others.
 */
async function wholeLives(
  shapeOf: (deployment: MeteredDeployment) => JobShape,
  call?: (deployment: MeteredDeployment) => CallTarget,
): Promise<Totals> {
  const totalsOf = async (jobs: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    if (call) deployment.call = call(deployment);
    const shape = shapeOf(deployment);
    for (let index = 0; index < jobs; index++) await createJob(deployment, index, shape);
    await deployment.run(LIFE_MS);
    return deployment.totals();
  };
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), MORE);
}

/**
 * One fire of jobs that have been firing for a while, `perMinute` times a minute each: a run, if they have a
 * workflow.
 */
async function steady(
  schedule: object,
  perMinute: number,
  workflow?: object,
  prepare?: (deployment: MeteredDeployment) => Promise<void>,
): Promise<Totals> {
  const totalsOf = async (jobs: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    await prepare?.(deployment);
    for (let index = 0; index < jobs; index++) await createJob(deployment, index, { schedule, workflow });
    // All jobs exist well before the window begins, and it begins at the same phase in both runs.
    await deployment.run(WARM_UP_MS - (deployment.clock.nowMs() % MINUTE_MS));
    const before = deployment.totals();
    await deployment.run(WINDOW_MS);
    return difference(deployment.totals(), before);
  };
  const fires = MORE * perMinute * (WINDOW_MS / MINUTE_MS);
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), fires);
}

/** A row of ends has a part that does not grow with their number, so the whole is divided by it. */
const packedFire = (jobs: number): Promise<Totals> => fireWith({ packs: 'write' }, jobs);

const followedFire = (follows: 'journal' | 'spans', labels: Labels = {}): Promise<Totals> =>
  fireWith({ follows }, FIRST + MORE, labels);

/** A fire of so many jobs that are due at once, in a deployment that differs from the usual one. */
async function fireWith(how: DeploymentOptions, jobs: number, labels: Labels = {}): Promise<Totals> {
  const totalsOf = async (options: DeploymentOptions) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false, ...options });
    const shape: JobShape = { schedule: { type: 'cron', expression: '* * * * *' }, ...labels };
    for (let index = 0; index < jobs; index++) await createJob(deployment, index, shape);
    await deployment.run(WARM_UP_MS - (deployment.clock.nowMs() % MINUTE_MS));
    const before = deployment.totals();
    await deployment.run(WINDOW_MS);
    return difference(deployment.totals(), before);
  };
  const fires = jobs * (WINDOW_MS / MINUTE_MS);
  const added = difference(await totalsOf(how), await totalsOf({}), fires);
  const fire = await steady({ type: 'cron', expression: '* * * * *' }, 1);
  return {
    ...fire,
    writeUnits: fire.writeUnits + added.writeUnits,
    readUnits: fire.readUnits + added.readUnits,
  };
}

/** From the request for a run at a later time, with a key, to the last recheck of its entries. */
async function delayedRun(): Promise<Totals> {
  const totalsOf = async (runs: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    await createJob(deployment, 0, { schedule: { type: 'none' } });
    const run = { at: aheadOf(deployment), payload: { report: 1 } };
    for (let index = 0; index < runs; index++)
      await deployment.request('runJob', { jobId: 'job-000000' }, { ...run, key: `order-${index}` });
    await deployment.run(LIFE_MS);
    return deployment.totals();
  };
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), MORE);
}

/** One fire of a job whose work workers ask for, ten at a time, two seconds after it is due. */
async function workerFire(): Promise<Totals> {
  const queue = 'warehouse';
  const totalsOf = async (jobs: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    for (let index = 0; index < jobs; index++)
      await createJob(deployment, index, { schedule: { type: 'cron', expression: '* * * * *' }, queue });
    const { clock } = deployment;
    const claiming = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(MINUTE_MS - (clock.nowMs() % MINUTE_MS) + CLAIMED_AFTER_MS);
        await deployment.drainQueue(queue);
      }
    };
    void claiming();
    await deployment.run(WARM_UP_MS - (clock.nowMs() % MINUTE_MS));
    const before = deployment.totals();
    await deployment.run(WINDOW_MS);
    return difference(deployment.totals(), before);
  };
  const fires = MORE * (WINDOW_MS / MINUTE_MS);
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), fires);
}

/** The whole life of a one-time job for which no worker comes in `startWithin`. */
export async function unclaimed(startWithin: string): Promise<Totals> {
  const totalsOf = async (jobs: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    const shape = { ...oneTimeJob(deployment), queue: 'deserted', startWithin };
    for (let index = 0; index < jobs; index++) await createJob(deployment, index, shape);
    await deployment.run(LIFE_MS + parseDuration(startWithin));
    return deployment.totals();
  };
  return difference(await totalsOf(FIRST + MORE), await totalsOf(FIRST), MORE);
}

/** The whole life of a job with a workflow: so many tasks, one after another. */
const wholeRuns = (tasks: number) =>
  wholeLives((deployment) => ({ ...oneTimeJob(deployment), workflow: { tasks: tasksInSequence(tasks) } }));

/**
 * One item of a fan-out. Its part of the rows of its segment is counted, because a whole one is added.
 *
 * @param concurrency of the fan-out; absent: all items may be called at once
 */
export async function fanOutItem(concurrency?: number): Promise<Totals> {
  const totalsOf = async (segments: number) => {
    const deployment = await MeteredDeployment.started(1, { auditor: false });
    const items = Array.from({ length: segments * SEGMENT_ITEMS }, (_, index) => index);
    const target = { type: 'http', url: 'https://hooks.example.com/load' };
    const window = concurrency === undefined ? {} : { concurrency };
    const workflow = { tasks: { load: { forEach: { items, ...window }, target } } };
    await createJob(deployment, 0, { ...oneTimeJob(deployment), workflow });
    await deployment.run(LIFE_MS);
    return deployment.totals();
  };
  return difference(await totalsOf(4), await totalsOf(2), 2 * SEGMENT_ITEMS);
}

function tasksInSequence(length: number): Record<string, object> {
  const target = { type: 'http', url: 'https://hooks.example.com/jobs/nightly-report' };
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `t${index}`,
      { target, input: { task: index }, ...(index > 0 && { dependsOn: [`t${index - 1}`] }) },
    ]),
  );
}

/** One task more, after all others. */
async function workflowTask(): Promise<Totals> {
  const MORE_TASKS = 5;
  return difference(await wholeRuns(5 + MORE_TASKS), await wholeRuns(5), MORE_TASKS);
}

const SUCCEEDED: TargetResult = { outcome: 'succeeded', statusCode: 200, body: 'ok' };
const UNAVAILABLE: TargetResult = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' };

/** The additional cost of a job that fails once. */
async function retry(): Promise<Totals> {
  const failsOnce = await wholeLives(
    oneTimeJob,
    () =>
      async (_, { headers }) =>
        headers['quarterjack-attempt'] === '1' ? UNAVAILABLE : SUCCEEDED,
  );
  return difference(failsOnce, await wholeLives(oneTimeJob, () => async () => SUCCEEDED));
}

/** One occurrence of a job whose last execution is still running, with overlap `skip`. */
async function skipped(): Promise<Totals> {
  const RUNS = 3;
  const slow =
    (deployment: MeteredDeployment): CallTarget =>
    async () => {
      await deployment.clock.sleep(5 * MINUTE_MS);
      return SUCCEEDED;
    };
  const runs =
    (maxRuns: number) =>
    (deployment: MeteredDeployment): JobShape => ({
      schedule: { type: 'cron', expression: '* * * * *', startAt: aheadOf(deployment), maxRuns },
      overlap: 'skip',
      timeout: '10m',
    });
  return difference(await wholeLives(runs(1 + RUNS), slow), await wholeLives(runs(1), slow), RUNS);
}

/** One heartbeat, which comes every 8 s: half the difference between a call of 20 s and one of 4 s. */
async function heartbeat(): Promise<Totals> {
  const taking =
    (ms: number) =>
    (deployment: MeteredDeployment): CallTarget =>
    async () => {
      await deployment.clock.sleep(ms);
      return SUCCEEDED;
    };
  const long = await wholeLives(oneTimeJob, taking(20 * SECOND_MS));
  return difference(long, await wholeLives(oneTimeJob, taking(4 * SECOND_MS)), 2);
}

/** An hour without a job. */
export async function idleHour(shards: number): Promise<Totals> {
  const deployment = await MeteredDeployment.started(shards);
  await deployment.run(WARM_UP_MS);
  const before = deployment.totals();
  await deployment.run(HOUR_MS);
  return difference(deployment.totals(), before);
}
