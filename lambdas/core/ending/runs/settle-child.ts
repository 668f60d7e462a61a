import type { StageDeps } from '../../deps';
import { isTerminal } from '../../domain/transitions';
import { type ChildTask, childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import type { MarkedStatus } from '../../domain/workflow/marks';
import { recheckEntryNow } from '../../queue/attempt-entries';
import type { ExecutionRef } from '../../store/execution-store';
import { endUnstartedWithoutFollowUps } from '../end-without-follow-ups';
import type { EndOfOpen } from './end-open-task';
import { endWaitingChild } from './end-waiting-child';
import { endAgain, endedChild } from './start-child';

/** A child may be claimed, or may end, while it is read. */
const TRIES = 3;
const STOPPED = { status: 'cancelled', reason: 'stopped' } as const;

/**
 * Settles a child whose run, or whose fan-out, has stopped. One that has not begun gets a row that refuses
 * its start. One that waits ends. One that runs goes on, or its cancellation is requested.
 *
 * @param cancelled gets children whose cancellation was requested by this
 * @returns how the task is marked; undefined: the child goes on
 */
export async function settleChild(
  task: ChildTask,
  { cancels }: EndOfOpen,
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<MarkedStatus | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const child = await deps.executions.get(childRefOf(task));
    if (!child) {
      const row = endedChild(task, STOPPED, deps);
      if (await endUnstartedWithoutFollowUps(row, 'other', deps)) return 'cancelled';
    } else if (isTerminal(child.status)) {
      if (hasEndedForRound(task, child)) return markOfChild(child);
      if (await endAgain(task, child, STOPPED, deps)) return 'cancelled';
    } else if (child.status === 'running') {
      if (cancels === undefined || child.cancelRequested) return undefined;
      await deps.schedule.putEntries([await recheckEntryNow(child, deps)]);
      const request = { reason: cancels, atMs: deps.clock.nowMs() };
      if ((await deps.executions.requestCancel(child, request)) === 'done') {
        cancelled.push(child);
        return undefined;
      }
    } else if (await endWaitingChild(child, STOPPED, deps)) return 'cancelled';
  }
  return undefined;
}
