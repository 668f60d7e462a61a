import { SECOND_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { execIdOfOccurrence } from '../contracts/tables';
import { newestRowThrough, covers, skippedRangeOver } from '../history/coverage';
import { scheduleOf } from '../domain/entry-planning';
import { recordSkippedOccurrence } from '../history/skip-ranges';
import { type Execution, isPlanned, type Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { MIN_GRACE_MS } from '../domain/misfire';
import { CLOCK_SKEW_MS, RECHECK_AFTER_MS } from '../domain/timing';
import type { StageDeps } from '../deps';
import { eligibilityOf } from '../domain/eligibility';

/** From here on the entry's second look may be over, by another clock: it may have settled an entry that was outdated. */
const LATE_MS = RECHECK_AFTER_MS - CLOCK_SKEW_MS;
/** From here on the misfire policy may have had a say, by another clock. */
const MISFIRED_MS = MIN_GRACE_MS - CLOCK_SKEW_MS - SECOND_MS;

type Planned = Pick<ExecutionMessage, 'attempt' | 'trigger' | 'dueAtMs'>;

/** Whether a message asks for the first attempt of a planned occurrence so late that others may have settled it. */
export const isLate = ({ attempt, trigger, dueAtMs }: Planned, nowMs: number): boolean =>
  attempt === 1 && isPlanned(trigger) && nowMs - dueAtMs >= LATE_MS;

/** One-time jobs have no neighbours to be skipped with. */
const mayLieInSkippedRange = (job: Job | undefined, dueAtMs: number, nowMs: number): boolean =>
  nowMs - dueAtMs >= MISFIRED_MS && !(job && scheduleOf(job).oneTime);

/**
 * Whether a late message may still claim. What the job, read before the claim, would not have called is put on record as
 * skipped in one write: nobody might look after a claim whose executor dies, once its entry is settled.
 */
export async function mayStillClaim(
  message: ExecutionMessage,
  job: Job | undefined,
  deps: StageDeps,
): Promise<boolean> {
  const { jobKey, dueAtMs } = message;
  const verdict = eligibilityOf({ fence: 1, trigger: message.trigger, dueAtMs }, job, message.revision);
  const inSkippedRange = mayLieInSkippedRange(job, dueAtMs, deps.clock.nowMs());
  if (verdict.call && !inSkippedRange) return true;
  const newest = await newestRowThrough(jobKey, dueAtMs, deps);
  if (newest?.execId === execIdOfOccurrence(dueAtMs)) return true; // the claim itself asks the row
  if (covers(newest, dueAtMs)) return false;
  if (verdict.call) return true;
  await recordSkippedOccurrence(message, verdict.end.reason, deps);
  return false;
}

/** Why a claim that was made late must not be called: a stretch of skipped ones was put over it meanwhile. */
export async function skippedMeanwhile(
  { jobKey, dueAtMs, fence, userRetried }: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Reason | undefined> {
  if (fence > 1 || userRetried || !mayLieInSkippedRange(job, dueAtMs, deps.clock.nowMs())) return undefined;
  return (await skippedRangeOver({ jobKey, dueAtMs }, deps))?.reason;
}
