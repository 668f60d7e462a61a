import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { waitingDetailOf } from '../../domain/work';
import type { Graph } from '../../domain/workflow/graph';
import { firstFenceOf, roundOf } from '../../domain/workflow/marks';
import { sendLaneOf } from '../../domain/workflow/task-job';
import { startOfTask } from '../../domain/workflow/task-times';
import { attemptEntry, sendIfDirect } from '../../queue/attempt-entries';
import type { Seen } from './next-action';
import { taskMessage } from './task-messages';
import { taskRefIn, unstartedTask } from './unstarted-task';

const CONCURRENCY = 10;

/**
 * Lets ready tasks wait for their times, each by an entry and a row. Then it is an execution that waits for
 * its first attempt. Repeating it does no harm: the first row counts. What fails is left to the recheck of
 * the run.
 */
export async function startLater(
  tasks: readonly number[],
  { run, graph, passed }: Seen,
  deps: StageDeps,
): Promise<void> {
  await inParallel(tasks, CONCURRENCY, async (index) => {
    try {
      await startAt(run, graph, index, passed.get(index) ?? 0, deps);
    } catch (error) {
      const { jobKey, execId } = run;
      deps.log.error('a task that waits for its time is left to its run', error, { jobKey, execId });
    }
  });
}

async function startAt(
  run: Run,
  graph: Graph,
  index: number,
  notBeforeMs: number,
  deps: StageDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const startAtMs = startOfTask({ run: run.run, graph }, index, { nowMs, notBeforeMs });
  const message = taskMessage(run, graph, { index }, startAtMs);
  if (startAtMs > nowMs) {
    const { execId } = taskRefIn(run, graph, index);
    const lane = sendLaneOf(run.run, graph, index);
    const fence = firstFenceOf(roundOf(run.run, index));
    const detail = waitingDetailOf(graph.tasks[index]!.task);
    const wait = { status: 'queued', dueAtMs: startAtMs, startAtMs, lane, fence, ...detail } as const;
    const row: Execution = unstartedTask(run, execId, wait, deps);
    // Its end decides until when it is kept.
    const { finishedAtMs: _, expiresAtSec: __, ...waiting } = row;
    await deps.schedule.putEntries([await attemptEntry({ ...waiting, startAtMs }, deps)]);
    if ((await deps.executions.putQueued(waiting)) === 'exists') return;
  }
  await sendIfDirect(message, deps);
}
