import { SECOND_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { execIdOfOccurrence } from '../contracts/tables';
import { covers, newestRowThrough, skippedRangeOver } from '../history/coverage';
import { scheduleOf } from '../domain/entry-planning';
import { type Execution, isPlanned } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { Job } from '../domain/job';
import { MIN_GRACE_MS } from '../domain/misfire';
import { APPLIED_WITHIN_MS, CLOCK_SKEW_MS, EARLIEST_RECHECK_MS } from '../domain/timing';
import type { StageDeps } from '../deps';
import { eligibilityOf, hasCalled } from '../domain/eligibility';

/** From here on the misfire policy may have skipped it, by another clock. */
const MISFIRED_MS = MIN_GRACE_MS - CLOCK_SKEW_MS - SECOND_MS;

type Planned = Pick<ExecutionMessage, 'attempt' | 'trigger' | 'dueAtMs'>;

/**
 * Whether a message asks for the first attempt of a planned occurrence so late that a recheck may have
 * settled it.
 */
export const isLate = ({ attempt, trigger, dueAtMs }: Planned, nowMs: number): boolean =>
  attempt === 1 && isPlanned(trigger) && nowMs - dueAtMs >= EARLIEST_RECHECK_MS;

/**
 * Whether a skipped range may cover it: one of the misfire policy, or of a pause that ended just before. A
 * request that deletes the job, or loses to the one that resumes it, records a pause by its own clock. It has
 * found the job paused after it read that clock, so before the resumption was written. A one-time job has no
 * ranges.
 */
const mayLieInSkippedRange = (job: Job | undefined, dueAtMs: number, nowMs: number): boolean =>
  (nowMs - dueAtMs >= MISFIRED_MS ||
    (job !== undefined && dueAtMs <= job.activeSinceMs + APPLIED_WITHIN_MS)) &&
  !(job && scheduleOf(job).oneTime);

/**
 * Why a late message may not claim; undefined: it may. If its job, as read before the claim, would not run
 * the occurrence, it is recorded as skipped in one write. Its entry may be settled, so no recheck would
 * follow a claim whose executor dies.
 */
export async function lateClaim(
  { jobKey, dueAtMs, trigger, revision, userRetries }: ExecutionMessage,
  job: Job | undefined,
  deps: StageDeps,
): Promise<{ why: 'covered' } | { why: 'late'; reason: Reason; job: Job | undefined } | undefined> {
  const eligibility = eligibilityOf({ fence: 1, trigger, dueAtMs, revision }, job);
  const mayBeCovered = mayLieInSkippedRange(job, dueAtMs, deps.clock.nowMs());
  if (eligibility.call && !mayBeCovered) return undefined;
  const newest = await newestRowThrough(jobKey, dueAtMs, deps);
  if (newest?.execId === execIdOfOccurrence(dueAtMs)) return undefined; // the claim itself asks the row
  if (userRetries !== undefined) return undefined; // TTL has removed its row, which the claim asks for
  if (covers(newest, dueAtMs)) return { why: 'covered' };
  return eligibility.call ? undefined : { why: 'late', reason: eligibility.end.reason, job };
}

/**
 * Why a late claim must not be delivered: a skipped range that covers it was recorded meanwhile. A takeover
 * asks too, unless an earlier attempt has called. The job may have changed before the claim and after it. A
 * range over the occurrence shows that: the writer of a range sees earlier claims.
 */
export async function skippedMeanwhile(
  execution: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Reason | undefined> {
  const { dueAtMs, trigger, fence } = execution;
  if (!isPlanned(trigger) || hasCalled(execution)) return undefined;
  if (fence <= 1 && !mayLieInSkippedRange(job, dueAtMs, deps.clock.nowMs())) return undefined;
  return (await skippedRangeOver(execution, deps))?.reason;
}
