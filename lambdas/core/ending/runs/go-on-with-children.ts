import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { type ChildTask, childRefOf } from '../../domain/workflow/children';
import type { Graph } from '../../domain/workflow/graph';
import { waitsForTime } from './alarm';
import { begunChild, countRuns } from './begin-child';
import { markTask, newerRow } from './mark-task';

const CONCURRENCY = 10;

interface Children {
  run: Run;
  graph: Graph;
  indexes: readonly number[];
  /** Gets the tasks that become ready by this. */
  fresh: Set<number>;
  /** Gets these tasks: one call is enough for each. */
  begun: Set<number>;
  /** By index: the instant of a `notBefore`. */
  notBefore: ReadonlyMap<number, number>;
}

/**
 * Starts the children of ready tasks whose time has come, or marks the tasks whose children have ended.
 * Repeating it does no harm. What fails is left to the recheck of the run.
 *
 * @returns the run's row after the last mark, or `job-gone`: the job of the run is deleted
 */
export async function goOnWithChildren(
  { run, graph, indexes, fresh, begun, notBefore }: Children,
  deps: StageDeps,
): Promise<Execution | undefined | 'job-gone'> {
  let latest: Execution | undefined = run;
  let [started, isGone] = [0, false];
  await inParallel(indexes, CONCURRENCY, async (index) => {
    begun.add(index);
    const task = { run, graph, index };
    try {
      const went = await goOnWithChild({ ...task, notBeforeMs: notBefore.get(index) ?? 0 }, fresh, deps);
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
  { notBeforeMs, ...task }: ChildTask & { notBeforeMs: number },
  fresh: Set<number>,
  deps: StageDeps,
): Promise<{ started: number; row: Execution | undefined } | 'job-gone'> {
  const begun = await begunChild(task, deps, () => waitsForTime(task, notBeforeMs, deps));
  if (begun === 'job-gone') return begun;
  const { started, ended } = begun;
  return { started, row: ended ? await markTask({ ...task, status: ended, fresh }, deps) : task.run };
}
