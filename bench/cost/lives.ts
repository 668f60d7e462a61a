import { MINUTE_MS } from '../../lambdas/core/clock/clock';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import type { DeploymentOptions } from './deployment-options';
import { createJob, type JobShape } from './jobs';
import { MeteredDeployment } from './metered-deployment';
import { difference, type Totals } from './usage';

/** All jobs fire at the same second. The first ones are the baseline of the others. */
export const USUAL = { first: 10, more: 20 };
/** A notification has a message for each of so many problems in a minute. */
export const FEW = { first: 5, more: 10 };

const AHEAD_MS = 10 * MINUTE_MS;
const WARM_UP_MS = 6 * MINUTE_MS;
const WINDOW_MS = 2 * MINUTE_MS;
export const WINDOW_MINUTES = WINDOW_MS / MINUTE_MS;
export const LIFE_MS = 20 * MINUTE_MS;

/** What one more costs: the totals with many minus those with some, each of which fires so often. */
export async function oneMore(
  totalsOf: (jobs: number) => Promise<Totals>,
  { first, more }: typeof USUAL = USUAL,
  fires = 1,
): Promise<Totals> {
  return difference(await totalsOf(first + more), await totalsOf(first), more * fires);
}

/** The totals of a play for each count, which is played once: again, it would give the same. */
export function playedOnce(play: (count: number) => Promise<Totals>): (count: number) => Promise<Totals> {
  const played = new Map<number, Promise<Totals>>();
  return (count) => {
    const totals = played.get(count) ?? play(count);
    played.set(count, totals);
    return totals;
  };
}

export const started = (options: DeploymentOptions = {}): Promise<MeteredDeployment> =>
  MeteredDeployment.started(1, { auditor: false, ...options });

/** The totals of two minutes, once all jobs have been there for a while: at the same phase in each run. */
export async function inWindow(deployment: MeteredDeployment): Promise<Totals> {
  await deployment.run(WARM_UP_MS - (deployment.clock.nowMs() % MINUTE_MS));
  const before = deployment.totals();
  await deployment.run(WINDOW_MS);
  return difference(deployment.totals(), before);
}

/** A full minute, far enough ahead that the scanner dispatches what is due then. */
export const aheadOf = ({ clock }: MeteredDeployment): string =>
  new Date(Math.ceil((clock.nowMs() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

export const oneTimeJob = (deployment: MeteredDeployment): JobShape => ({
  schedule: { type: 'at', at: aheadOf(deployment) },
});

/** How lives differ from the usual ones. */
export interface LivesOptions {
  call?: (deployment: MeteredDeployment) => CallTarget;
  /** Before the jobs are made. */
  prepare?: ((deployment: MeteredDeployment) => Promise<unknown>) | undefined;
  jobs?: typeof USUAL;
  lifeMs?: number;
}

/** From the request that creates a job to the last recheck of its entries. */
export const wholeLives = (
  shapeOf: (deployment: MeteredDeployment) => JobShape,
  { call, prepare, jobs, lifeMs = LIFE_MS }: LivesOptions = {},
): Promise<Totals> =>
  oneMore(async (count) => {
    const deployment = await started();
    if (call) deployment.call = call(deployment);
    await prepare?.(deployment);
    const shape = shapeOf(deployment);
    for (let index = 0; index < count; index++) await createJob(deployment, index, shape);
    await deployment.run(lifeMs);
    return deployment.totals();
  }, jobs);

/**
 * One fire of jobs that have been firing for a while, `perMinute` times a minute each: a run, if they have a
 * workflow.
 */
export const steady = (shape: JobShape, perMinute = 1, prepare?: LivesOptions['prepare']): Promise<Totals> =>
  oneMore(
    async (count) => {
      const deployment = await started();
      await prepare?.(deployment);
      for (let index = 0; index < count; index++) await createJob(deployment, index, shape);
      return inWindow(deployment);
    },
    USUAL,
    perMinute * WINDOW_MINUTES,
  );
