import { compactInstant, jobKeyOf, parseCompactInstant } from '../contracts/tables';
import type { AttemptEntry, Entry } from './entry';
import { isPausedAt, type Job } from './job';
import { shardOf } from './shard';
import { RECHECK_AFTER_MS } from './timing';

/** A pause that is to end at `atMs`. */
export interface Resumption {
  atMs: number;
  /** When the pause began: the job's `pausedAtMs`. It tells one pause from another with the same end. */
  pausedAtMs: number;
}

type Pausable = Pick<Job, 'status' | 'pausedAtMs' | 'resumeAtMs'>;

/** When a paused job is to be resumed; undefined: it is active, or paused until a user resumes it. */
export const resumptionOf = ({ status, pausedAtMs, resumeAtMs }: Pausable): Resumption | undefined =>
  status === 'paused' && resumeAtMs !== undefined && pausedAtMs !== undefined
    ? { atMs: resumeAtMs, pausedAtMs }
    : undefined;

/** Whether the job is still to be resumed so: it has not been resumed, or paused again, since. */
export function isToBeResumed({ atMs, pausedAtMs }: Resumption, job: Pausable): boolean {
  const asked = resumptionOf(job);
  return asked?.atMs === atMs && asked.pausedAtMs === pausedAtMs;
}

/** The job as it plans ahead: one whose pause has an end plans what is due from that very time on. */
export function asPlannedAhead(job: Job): Job {
  const asked = resumptionOf(job);
  return asked ? { ...job, status: 'active', activeSinceMs: activeSinceMsOf(asked) } : job;
}

/**
 * The job as it plans at an instant. One whose pause should have ended by then counts as resumed, also before
 * that is written.
 */
export const asPlannedAt = (job: Job, nowMs: number): Job =>
  isPausedAt(job, nowMs) ? job : asPlannedAhead(job);

/** From when on a resumed job plans again: what was due through then never fires. */
export const activeSinceMsOf = ({ atMs, pausedAtMs }: Resumption): number => Math.max(atMs - 1, pausedAtMs);

const INFIX = '-resume-';

/** The resumption that an entry is for; undefined if it is for something else. */
export function resumptionIn(entry: Entry): Resumption | undefined {
  if (entry.kind !== 'attempt') return undefined;
  const [at = '', pausedAt] = entry.execId.split(INFIX);
  return pausedAt === undefined
    ? undefined
    : { atMs: parseCompactInstant(at), pausedAtMs: parseCompactInstant(pausedAt) };
}

/**
 * The entry by which the sweeper resumes a job, at the time of the resumption or soon after it. No execution
 * has its execId. The scanner ignores it.
 *
 * @param fromMs no entry is filed before this: the sweeper may have passed it
 */
export const resumptionEntry = (
  job: Pick<Job, 'userId' | 'jobId'>,
  { atMs, pausedAtMs }: Resumption,
  { shardCount, fromMs }: { shardCount: number; fromMs: number },
): AttemptEntry => ({
  kind: 'attempt',
  jobKey: jobKeyOf(job),
  shard: shardOf(jobKeyOf(job), shardCount),
  checkAtMs: Math.max(atMs - RECHECK_AFTER_MS, fromMs),
  execId: `${compactInstant(atMs)}${INFIX}${compactInstant(pausedAtMs)}`,
  attempt: 1,
  rechecks: 0,
});
