import type { StageDeps } from '../../deps';
import { isTerminal } from '../../domain/transitions';
import { type ChildTask, childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import { recheckEntryNow } from '../../queue/attempt-entries';
import { endUnstartedWithoutFollowUps } from '../end-without-follow-ups';
import type { EndOfOpen, Settled } from './end-open-task';
import { endWaitingChild } from './end-waiting-child';
import { endAgain, endedChild } from './start-child';

/** A child may be claimed, or may end, while it is read. */
const TRIES = 3;
const STOPPED = { status: 'cancelled', reason: 'stopped' } as const;
const CANCELLED = { status: 'cancelled' } as const;

/**
 * Settles a child whose run, or whose fan-out, has stopped. One that has not begun gets a row that refuses
 * its start. One that waits ends. One that runs goes on, or its cancellation is requested.
 */
export async function settleChild(
  task: ChildTask,
  { cancels }: EndOfOpen,
  deps: StageDeps,
): Promise<Settled> {
  for (let tries = 0; tries < TRIES; tries++) {
    const child = await deps.executions.get(childRefOf(task));
    if (!child) {
      const row = endedChild(task, STOPPED, deps);
      if (await endUnstartedWithoutFollowUps(row, 'other', deps)) return CANCELLED;
    } else if (isTerminal(child.status)) {
      if (hasEndedForRound(task, child)) return { status: markOfChild(child) };
      if (await endAgain(task, child, STOPPED, deps)) return CANCELLED;
    } else if (child.status === 'running') {
      if (cancels === undefined || child.cancelRequested) return {};
      await deps.schedule.putEntries([await recheckEntryNow(child, deps)]);
      const request = { reason: cancels, atMs: deps.clock.nowMs() };
      if ((await deps.executions.requestCancel(child, request)) === 'done') return { cancelled: [child] };
    } else if (await endWaitingChild(child, STOPPED, deps)) return CANCELLED;
  }
  return {};
}
