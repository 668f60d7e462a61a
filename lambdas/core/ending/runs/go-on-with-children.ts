import { inParallel } from '../../async/in-parallel';
import { jobRefOf, minuteOf } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { isTerminal } from '../../domain/transitions';
import { type ChildTask, childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import type { Graph } from '../../domain/workflow/graph';
import { NO_RATES } from '../../quotas/rates';
import { markTask, newerRow } from './mark-task';
import { startChild } from './start-child';

const CONCURRENCY = 10;
/** A child may be started, or may end, while it is read. */
const TRIES = 3;

interface Children {
  run: Run;
  graph: Graph;
  indexes: readonly number[];
  /** Gets the tasks that become ready by this. */
  fresh: Set<number>;
  /** Gets these tasks: one call is enough for each. */
  begun: Set<number>;
}

/**
 * Starts the children of ready tasks, or marks the tasks whose children have ended. Repeating it does no
 * harm. What fails is left to the recheck of the run.
 *
 * @returns the run's row after the last mark, or `job-gone`: the job of the run is deleted
 */
export async function goOnWithChildren(
  { run, graph, indexes, fresh, begun }: Children,
  deps: StageDeps,
): Promise<Execution | undefined | 'job-gone'> {
  let latest: Execution | undefined = run;
  let [started, isGone] = [0, false];
  await inParallel(indexes, CONCURRENCY, async (index) => {
    begun.add(index);
    const task = { run, graph, index };
    try {
      const went = await goOnWithChild(task, fresh, deps);
      if (went === 'job-gone') isGone = true;
      else {
        started += went.started;
        latest = newerRow(latest, went.row);
      }
    } catch (error) {
      const { jobKey, execId } = childRefOf(task);
      deps.log.error('a child is left to the recheck of its run', error, { jobKey, execId });
    }
  });
  if (started > 0) await countRuns(run, started, deps);
  return isGone ? 'job-gone' : latest;
}

async function goOnWithChild(
  task: ChildTask,
  fresh: Set<number>,
  deps: StageDeps,
): Promise<{ started: number; row: Execution | undefined } | 'job-gone'> {
  let started = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const child = await deps.executions.get(childRefOf(task));
    if (child && hasEndedForRound(task, child)) {
      const row = await markTask({ ...task, status: markOfChild(child), fresh }, deps);
      return { started, row };
    }
    if (child && !isTerminal(child.status)) break;
    const now = await startChild(task, child, deps);
    if (now === 'job-gone') return now;
    started += now;
    if (now > 0) break;
  }
  return { started, row: task.run };
}

/** Children count towards the project's runs of the minute, but nothing refuses them. */
async function countRuns({ jobKey }: Run, runs: number, { usage, clock }: StageDeps): Promise<void> {
  await usage.addRates(jobRefOf(jobKey).userId, minuteOf(clock.nowMs()), { ...NO_RATES, runs });
}
