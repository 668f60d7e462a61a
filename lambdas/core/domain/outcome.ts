import type { AttemptRecord, Execution } from './execution';
import type { Reason } from './reason';
import type { Job } from './job';
import type { FailureReason } from './target-result';

/** The state of an attempt after its targets have answered or reported. */
export interface AttemptState {
  execution: Pick<Execution, 'attempts' | 'fence' | 'delegatedTo'>;
  /** As read after the claim; undefined: deleted meanwhile. */
  job: Pick<Job, 'targets'> | undefined;
  /**
   * New records of this attempt, made from the answers that have just arrived. Those on the row count too.
   */
  records: readonly AttemptRecord[];
  /** Indexes of the targets that have just answered 202: they report later. */
  accepted: readonly number[];
  /** A target reports by its token; otherwise the executor settles its own calls. */
  isReport: boolean;
  cancelRequested: boolean;
  /** Why the target has failed whose result decides. It decides nothing itself. */
  reason?: FailureReason | undefined;
}

/**
 * `note`: other targets are still at work, or the executor is about to decide. `delegate`: the named targets
 * keep the lease. `retry`: the retry policy decides, and may still end the execution.
 */
export type Outcome =
  | { decision: 'cancel' }
  | { decision: 'note' }
  | { decision: 'delegate'; waiting: readonly number[] }
  | { decision: 'retry' }
  | { decision: 'end'; status: 'succeeded' | 'failed' | 'cancelled'; reason?: Reason };

/**
 * Decides what becomes of an execution after an attempt. With several targets it succeeds when all of them
 * have, and fails when one has failed for good. The rows of `test/unit/core/domain/outcome.test.ts` are its
 * specification.
 */
export function decideOutcome(state: AttemptState): Outcome {
  const { execution, job, records, accepted, isReport } = state;
  const { delegatedTo } = execution;
  const settled = [...execution.attempts.filter(({ fence }) => fence === execution.fence), ...records];
  const waiting = [...accepted, ...(delegatedTo?.targets ?? [])].filter(
    (target) => !settled.some((record) => record.target === target),
  );
  const isOpen = waiting.length > 0 || settled.some(({ outcome }) => outcome !== 'succeeded');

  if (state.cancelRequested && isOpen) return { decision: 'cancel' };
  if (settled.some(({ outcome }) => outcome === 'fatal'))
    return { decision: 'end', status: 'failed', reason: state.reason ?? 'fatal' };
  if (isReport && !delegatedTo && job?.targets) return { decision: 'note' };
  if (waiting.length > 0 && delegatedTo) return { decision: 'note' };
  if (waiting.length > 0 && job) return { decision: 'delegate', waiting };
  if (!isOpen) return { decision: 'end', status: 'succeeded' };
  if (!job) return { decision: 'end', status: 'cancelled', reason: 'deleted' };
  return { decision: 'retry' };
}
