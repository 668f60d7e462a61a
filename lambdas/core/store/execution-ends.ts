import type { AttemptRecord, Execution, Run } from '../domain/execution';
import type { Ending, Lease, LeaseOutcome } from './execution-store';

/**
 * The writes that make an execution terminal. Only `core/ending` may call them, so that the follow-ups of an
 * end always run. A lost race is an outcome, never an error. The store recognises its own earlier success.
 */
export interface ExecutionEnds {
  /** `running → terminal`, under the lease. `records` are appended to the history; none: no call was made. */
  finish(lease: Lease, ending: Ending, records: readonly AttemptRecord[]): Promise<LeaseOutcome>;
  /** `running → terminal`, conditional on claim, fence and heartbeat as seen. */
  endStale(seen: Execution, ending: Ending, lost: readonly AttemptRecord[]): Promise<LeaseOutcome>;
  /** `queued | retrying → terminal`, conditional on status, attempt and fence as seen. */
  endWaiting(seen: Execution, ending: Ending): Promise<LeaseOutcome>;
  /** `running → terminal` of a run, conditional on its moves as seen: nothing was marked or stopped since. */
  endRun(seen: Run, ending: Ending): Promise<LeaseOutcome>;
  /**
   * Writes a row that is terminal from the start, under its first occurrence. `exists`: a row already exists.
   */
  putEnded(row: Execution): Promise<'written' | 'exists'>;
}
