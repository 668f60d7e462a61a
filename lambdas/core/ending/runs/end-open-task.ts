import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import type { Reason } from '../../domain/reason';
import { isTerminal, type TerminalStatus } from '../../domain/transitions';
import type { MarkedStatus } from '../../domain/workflow/marks';
import type { ExecutionRef } from '../../store/execution-store';
import { endWithoutFollowUps, endUnstartedWithoutFollowUps } from '../end-without-follow-ups';
import { unstartedTask } from './unstarted-task';

/** A task may be claimed, or may end, while it is read. */
const TRIES = 3;
const STOPPED = { status: 'cancelled', reason: 'stopped' } as const;

/** What becomes of a task, or of an item, that may have been sent. */
export interface EndOfOpen {
  /** Whether the cancellation of one that runs is requested, and why. Absent: it goes on. */
  cancels?: Reason;
}

/** What a stop has made of a task, an item or a child. */
export interface Settled {
  /** How it is marked; undefined: it goes on. */
  status?: MarkedStatus | undefined;
  /** Children whose cancellation was requested by this. */
  cancelled?: readonly ExecutionRef[];
}

/**
 * Ends a task, or an item, that may have been sent. One that was not claimed gets a row that refuses its
 * claim. One that waits for an attempt ends.
 *
 * @returns the status that it has ended with; undefined: it goes on
 */
export async function endOpenTask(
  run: Run,
  ref: ExecutionRef,
  { cancels }: EndOfOpen,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await deps.executions.get(ref);
    if (row && isTerminal(row.status)) return row.status;
    if (row?.status === 'running') {
      if (cancels === undefined || row.cancelRequested) return undefined;
      const request = { reason: cancels, atMs: deps.clock.nowMs() };
      if ((await deps.executions.requestCancel(row, request)) === 'done') return undefined;
    } else if (row) {
      const precondition = { kind: 'waiting' } as const;
      if (
        await endWithoutFollowUps(
          { execution: row, end: STOPPED, precondition, job: undefined, by: 'other' },
          deps,
        )
      )
        return 'cancelled';
    } else if (
      await endUnstartedWithoutFollowUps(unstartedTask(run, ref.execId, STOPPED, deps), 'other', deps)
    )
      return 'cancelled';
  }
  return undefined;
}
