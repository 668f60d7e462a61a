import type { Job } from '../core/domain/job';
import { parseDuration } from '../core/schedule/duration';
import { lastEnded, type Seen } from './decide-ping';

/** What a badge says of its monitor. */
export type BadgeStatus = 'up' | 'late' | 'down' | 'paused' | 'new';

/**
 * The status of a monitor, by what is on record of it. `down`: the last end is a failure, or no ping has
 * come in time. `late`: an occurrence waits for its ping, or `expectEvery` is over. `new`: nothing has
 * ended yet.
 */
export function badgeStatusOf(job: Job, { rows, waiting, missed }: Seen, nowMs: number): BadgeStatus {
  if (job.status === 'paused') return 'paused';
  // Rows of an earlier job with the id do not count.
  const last = lastEnded(
    rows.filter(
      ({ status, finishedAtMs = 0 }) =>
        (status === 'succeeded' || status === 'failed') && finishedAtMs >= job.createdAtMs,
    ),
  );
  if (missed || last?.status === 'failed') return 'down';
  const { expectEvery, expectSinceMs = job.createdAtMs } = job;
  const sinceMs = Math.max(expectSinceMs, last?.finishedAtMs ?? 0);
  if (expectEvery !== undefined && nowMs > sinceMs + parseDuration(expectEvery)) return 'late';
  if (!last) return 'new';
  return waiting ? 'late' : 'up';
}
