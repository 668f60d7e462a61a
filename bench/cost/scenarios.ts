import { SEGMENT_ITEMS } from '../../lambdas/core/contracts/execution-keys';
import type { TargetResult } from '../../lambdas/core/domain/target-result';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lambdas/core/clock/clock';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { parseDuration } from '../../lambdas/core/schedule/duration';
import { ALERT_SCENARIOS } from './alert-scenarios';
import { keyQuestion, tokenQuestion } from './authorizer-questions';
import type { DeploymentOptions } from './deployment-options';
import { createJob, EVERY_MINUTE, type JobShape, TRACEPARENT, TRACESTATE } from './jobs';
import {
  aheadOf,
  inWindow,
  LIFE_MS,
  oneMore,
  oneTimeJob,
  playedOnce,
  started,
  steady,
  USUAL,
  wholeLives,
  WINDOW_MINUTES,
} from './lives';
import { MeteredDeployment } from './metered-deployment';
import { MONITOR_SCENARIOS } from './monitor-scenarios';
import { difference, type Totals } from './usage';

const CLAIMED_AFTER_MS = 2 * SECOND_MS;

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
  recurringFire: () => oneMore(plainFires, USUAL, WINDOW_MINUTES),
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
  subMinuteFire: () =>
    steady({ schedule: { type: 'interval', every: '10s', anchor: '2026-12-01T00:00:00Z' } }, 6),
  delayedRun: () => delayedRun(),
  retry,
  skipped,
  heartbeat,
  workflow: () => wholeRuns(5),
  workflowTask,
  fanOutItem: () => fanOutItem(),
  workerFire,
  workerUnclaimed: () => unclaimed('10m'),
  workflowRun: () =>
    steady({ schedule: { type: 'interval', every: '1m' }, workflow: { tasks: tasksInSequence(1) } }),
  ...MONITOR_SCENARIOS,
  ...ALERT_SCENARIOS,
  tokenQuestion,
  keyQuestion,
  idleHour4: () => idleHour(4),
  idleHour16: () => idleHour(16),
  idleHour64: () => idleHour(64),
} satisfies Record<string, () => Promise<Totals>>;

type Labels = Pick<JobShape, 'runTags' | 'externalId'>;
const LABELS: Labels = { runTags: ['report:{{ payload.report }}', 'all'], externalId: '{{ run.id }}' };

export type ScenarioName = keyof typeof SCENARIOS;

/** A row of ends has a part that does not grow with their number, so the whole is divided by it. */
const packedFire = (jobs: number): Promise<Totals> => fireWith({ packs: 'write' }, jobs);

const followedFire = (follows: 'journal' | 'spans', labels?: Labels): Promise<Totals> =>
  fireWith({ follows }, USUAL.first + USUAL.more, labels);

/** The fires of so many jobs that are due at once. */
async function fires(options: DeploymentOptions, jobs: number, labels: Labels = {}): Promise<Totals> {
  const deployment = await started(options);
  const shape: JobShape = { schedule: EVERY_MINUTE, ...labels };
  for (let index = 0; index < jobs; index++) await createJob(deployment, index, shape);
  return inWindow(deployment);
}

const plainFires = playedOnce((jobs: number) => fires({}, jobs));

/** A fire of so many jobs that are due at once, in a deployment that differs from the usual one. */
async function fireWith(how: DeploymentOptions, jobs: number, labels?: Labels): Promise<Totals> {
  const without = await (labels ? fires({}, jobs, labels) : plainFires(jobs));
  const added = difference(await fires(how, jobs, labels), without, jobs * WINDOW_MINUTES);
  const fire = await SCENARIOS.recurringFire();
  return {
    ...fire,
    writeUnits: fire.writeUnits + added.writeUnits,
    readUnits: fire.readUnits + added.readUnits,
  };
}

/** From the request for a run at a later time, with a key, to the last recheck of its entries. */
const delayedRun = (): Promise<Totals> =>
  oneMore(async (runs) => {
    const deployment = await started();
    await createJob(deployment, 0, { schedule: { type: 'none' } });
    const run = { at: aheadOf(deployment), payload: { report: 1 } };
    for (let index = 0; index < runs; index++)
      await deployment.request('runJob', { jobId: 'job-000000' }, { ...run, key: `order-${index}` });
    await deployment.run(LIFE_MS);
    return deployment.totals();
  });

/** One fire of a job whose work workers ask for, ten at a time, two seconds after it is due. */
async function workerFire(): Promise<Totals> {
  const queue = 'warehouse';
  const totalsOf = async (jobs: number) => {
    const deployment = await started();
    for (let index = 0; index < jobs; index++)
      await createJob(deployment, index, { schedule: EVERY_MINUTE, queue });
    const { clock } = deployment;
    const claiming = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(MINUTE_MS - (clock.nowMs() % MINUTE_MS) + CLAIMED_AFTER_MS);
        await deployment.drainQueue(queue);
      }
    };
    void claiming();
    return inWindow(deployment);
  };
  return oneMore(totalsOf, USUAL, WINDOW_MINUTES);
}

/** The whole life of a one-time job for which no worker comes in `startWithin`. */
export const unclaimed = (startWithin: string): Promise<Totals> =>
  wholeLives((deployment) => ({ ...oneTimeJob(deployment), queue: 'deserted', startWithin }), {
    lifeMs: LIFE_MS + parseDuration(startWithin),
  });

/** The whole life of a job with a workflow: so many tasks, one after another. */
const wholeRuns = playedOnce((tasks: number) =>
  wholeLives((deployment) => ({ ...oneTimeJob(deployment), workflow: { tasks: tasksInSequence(tasks) } })),
);

/**
 * One item of a fan-out. Its part of the rows of its segment is counted, because a whole one is added.
 *
 * @param concurrency of the fan-out; absent: all items may be called at once
 */
export async function fanOutItem(concurrency?: number): Promise<Totals> {
  const totalsOf = async (segments: number) => {
    const deployment = await started();
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
  const failsOnce: CallTarget = async (_, { headers }) =>
    headers['quarterjack-attempt'] === '1' ? UNAVAILABLE : SUCCEEDED;
  const lives = (call: CallTarget) => wholeLives(oneTimeJob, { call: () => call });
  return difference(await lives(failsOnce), await lives(async () => SUCCEEDED));
}

/** Targets that take so long. */
const taking =
  (ms: number) =>
  ({ clock }: MeteredDeployment): CallTarget =>
  async () => {
    await clock.sleep(ms);
    return SUCCEEDED;
  };

/** One occurrence of a job whose last execution is still running, with overlap `skip`. */
async function skipped(): Promise<Totals> {
  const RUNS = 3;
  const call = taking(5 * MINUTE_MS);
  const runs =
    (maxRuns: number) =>
    (deployment: MeteredDeployment): JobShape => ({
      schedule: { type: 'cron', expression: '* * * * *', startAt: aheadOf(deployment), maxRuns },
      overlap: 'skip',
      timeout: '10m',
    });
  const lives = (count: number) => wholeLives(runs(count), { call });
  return difference(await lives(1 + RUNS), await lives(1), RUNS);
}

/** One heartbeat, which comes every 8 s: half the difference between a call of 20 s and one of 4 s. */
async function heartbeat(): Promise<Totals> {
  const lives = (ms: number) => wholeLives(oneTimeJob, { call: taking(ms) });
  return difference(await lives(20 * SECOND_MS), await lives(4 * SECOND_MS), 2);
}

/** Until the ticks have found their pace. */
const IDLE_FIRST_MS = 6 * MINUTE_MS;

/** An hour without a job. */
export async function idleHour(shards: number): Promise<Totals> {
  const deployment = await MeteredDeployment.started(shards);
  await deployment.run(IDLE_FIRST_MS);
  const before = deployment.totals();
  await deployment.run(HOUR_MS);
  return difference(deployment.totals(), before);
}
