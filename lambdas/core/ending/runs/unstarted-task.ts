import type { StageDeps } from '../../deps';
import { type Execution, NEVER_CLAIMED, type Run } from '../../domain/execution';
import type { Graph } from '../../domain/workflow/graph';
import { roundOf } from '../../domain/workflow/marks';
import { taskExecId } from '../../domain/workflow/task-id';
import { expiresAtSecAfter } from '../../domain/timing';

/** The execution of a task in its present round. */
export const taskRefIn = ({ jobKey, execId, run }: Run, graph: Graph, index: number) => ({
  jobKey,
  execId: taskExecId({ run: execId, task: graph.tasks[index]!.id, round: roundOf(run, index) }),
});

/** A row of a task that ends without a claim: it is kept as long as those of the other tasks. */
export function unstartedTask(
  { jobKey, run }: Run,
  execId: string,
  end: Pick<Execution, 'status'> & Partial<Execution>,
  { clock, retentionDays }: Pick<StageDeps, 'clock' | 'retentionDays'>,
): Execution {
  const nowMs = clock.nowMs();
  return {
    jobKey,
    execId,
    trigger: 'task',
    dueAtMs: nowMs,
    ...NEVER_CLAIMED,
    finishedAtMs: nowMs,
    runEndsAtMs: run.endsAtMs,
    expiresAtSec: expiresAtSecAfter(Math.max(nowMs, run.endsAtMs), retentionDays),
    ...end,
  };
}
