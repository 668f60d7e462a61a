import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import { type ChildTask, childRefOf } from '../../domain/workflow/children';
import { waitsForTime } from './alarm';
import { begunChild, countRuns } from './begin-child';
import { allMarked, type Marked, markTask } from './mark-task';
import type { Seen } from './next-action';

const CONCURRENCY = 10;

/**
 * Starts the children of ready tasks whose time has come, or marks the tasks whose children have ended.
 * Repeating it does no harm. What fails is left to the recheck of the run.
 */
export async function goOnWithChildren(
  tasks: readonly number[],
  { run, graph, passed }: Seen,
  deps: StageDeps,
): Promise<Marked & { jobGone: boolean }> {
  const marks: Marked[] = [];
  let [runs, jobGone] = [0, false];
  await inParallel(tasks, CONCURRENCY, async (index) => {
    const task: ChildTask = { run, graph, index };
    try {
      const begun = await begunChild(task, deps, () => waitsForTime(task, passed.get(index) ?? 0, deps));
      if (begun === 'job-gone') {
        jobGone = true;
        return;
      }
      runs += begun.started;
      if (begun.ended) marks.push(await markTask({ ...task, status: begun.ended }, deps));
    } catch (error) {
      const { jobKey, execId } = childRefOf(task);
      deps.log.error('a child is left to the recheck of its run', error, { jobKey, execId });
    }
  });
  if (runs > 0) await countRuns(run, runs, deps);
  return { ...allMarked(run, marks), jobGone };
}
