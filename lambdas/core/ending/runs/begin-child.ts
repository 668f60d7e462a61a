import { jobRefOf, minuteOf } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import { isTerminal } from '../../domain/transitions';
import { waitsByItself } from '../../domain/workflow/child-row';
import { type ChildTask, childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import type { MarkedStatus } from '../../domain/workflow/marks';
import { NO_RATES } from '../../quotas/rates';
import { endWaitingChild } from './end-waiting-child';
import { startChild } from './start-child';

/** A child may be started, or may end, while it is read. */
const TRIES = 3;

/** How the retry of a child's own user ends, if the run starts the child before the retry has begun. */
const STARTED_BY_RUN = { status: 'cancelled', reason: 'superseded' } as const;

/** What has become of a child: how many runs this call has started, and how it has ended, if it has. */
export interface BegunChild {
  started: number;
  ended?: MarkedStatus;
}

/**
 * Starts a child, unless it has begun for the present round of its task. Repeating it does no harm. Where its
 * own user has retried it, and it still waits at its gates, it starts under those of the run instead.
 *
 * @param waits whether its time has not come
 * @returns `job-gone`: the job of the run is deleted
 */
export async function begunChild(
  task: ChildTask,
  deps: StageDeps,
  waits?: () => Promise<boolean>,
): Promise<BegunChild | 'job-gone'> {
  let started = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const child = await deps.executions.get(childRefOf(task));
    if (child && hasEndedForRound(task, child)) return { started, ended: markOfChild(child) };
    if (child && waitsByItself(child)) {
      await endWaitingChild(child, STARTED_BY_RUN, deps);
      continue;
    }
    if (child && !isTerminal(child.status)) break;
    if (await waits?.()) break;
    const now = await startChild(task, child, deps);
    if (now === 'job-gone') return now;
    started += now;
    if (now > 0) break;
  }
  return { started };
}

/** Children count towards the project's runs of the minute, but nothing refuses them. */
export async function countRuns({ jobKey }: Run, runs: number, { usage, clock }: StageDeps): Promise<void> {
  await usage.addRates(jobRefOf(jobKey).userId, minuteOf(clock.nowMs()), { ...NO_RATES, runs });
}
