import type { StageDeps } from '../../deps';
import type { UserRequest } from '../../domain/execution';
import type { RunTask } from '../../domain/workflow/run-task';
import { approvalEndMs } from './approvals';
import { endUnstarted } from '../end-execution';
import type { EndedBy } from '../../domain/ended';
import { taskRefIn, unstartedTask } from './unstarted-task';

/** What becomes of an approval. */
export interface ApprovalDecision {
  status: 'succeeded' | 'failed' | 'skipped';
  reason?: 'rejected' | 'timed-out' | 'skipped-by-user';
  /** A JSON value, as text. */
  output?: string;
  userRequest?: UserRequest;
}

/**
 * Writes the decision on an approval: a row that is terminal from the start. The first one counts.
 *
 * @returns false if it was decided before
 */
export async function decideApproval(
  { run, graph, index }: RunTask,
  decision: ApprovalDecision,
  by: EndedBy,
  deps: StageDeps,
): Promise<boolean> {
  const ref = taskRefIn(run, graph, index);
  const isDecided = await endUnstarted(unstartedTask(run, ref.execId, decision, deps), by, deps);
  if (by !== 'sweeper') await unlist(ref, deps);
  return isDecided;
}

/** Decides an approval whose time is over. False if it is not. */
export async function decideOverdue(task: RunTask, deps: StageDeps): Promise<boolean> {
  if (deps.clock.nowMs() < approvalEndMs(task)) return false;
  const { onTimeout } = task.graph.tasks[task.index]!.task.approval!;
  const status = onTimeout === 'approve' ? 'succeeded' : 'failed';
  await decideApproval(task, { status, reason: 'timed-out' }, 'sweeper', deps);
  return true;
}

/** What was decided is no longer listed. A row that is left over does no harm: the list asks the run. */
export async function unlist(
  ref: { jobKey: string; execId: string },
  { waiting, log }: Pick<StageDeps, 'waiting' | 'log'>,
): Promise<void> {
  try {
    await waiting.remove(ref);
  } catch (error) {
    log.error('what no longer waits is left in the list', error, ref);
  }
}
