import { inParallel } from '../async/in-parallel';
import { SECOND_MS } from '../clock/clock';
import type { CalendarKey } from '../contracts/tables';
import { type CalendarPointer, versionExpiresAtSec } from '../domain/calendar';
import { isRetryable } from '../is-retryable';
import type { Use, UsesStore } from '../store/uses-store';
import { type ReplanDeps, replanJob } from './replan-job';

/** An occurrence that a change moved into the past. */
export interface LostOccurrence {
  jobId: string;
  wasAtMs: number;
  movedToMs: number;
}

export interface CalendarReplan {
  /** Jobs that were replanned. */
  replanned: number;
  /** Jobs that may still be planned by an earlier version. */
  remaining: number;
  /** At most `MAX_LISTED` of them. */
  movedIntoPast: LostOccurrence[];
}

export interface ReplanCalendarDeps extends ReplanDeps {
  uses: UsesStore;
}

/** How long a process goes on, and whether a page of jobs may be replanned: each files an entry. */
export interface ReplanBounds {
  hasTime: () => boolean;
  admits?: (jobs: number) => Promise<boolean>;
}

/** Jobs replanned in one second at most. */
const JOBS_A_SECOND = 200;
const CONCURRENCY = 10;
const MAX_LISTED = 100;
const COUNTED_A_PAGE = 1_000;

/**
 * Replans the jobs that use a changed calendar, page by page, each page after the second before. The pointer
 * keeps the cursor after each page, and loses `changing` after the last. Stops where a bound says so, and
 * where another change of the calendar takes over.
 *
 * Order of writes: the version stays → the jobs → the version before expires → the pointer, done. While it is
 * `changing`, a repeat or the auditor writes whatever of this is missing.
 *
 * Throws if a store or queue fails: a repeat goes on after the last whole page.
 */
export async function replanCalendar(
  changed: CalendarPointer,
  { hasTime, admits }: ReplanBounds,
  deps: ReplanCalendarDeps,
): Promise<CalendarReplan> {
  const result: CalendarReplan = { replanned: 0, remaining: 0, movedIntoPast: [] };
  let pointer = changed;
  if (pointer.changing) await deps.calendars.keepVersion(pointer, pointer.version);
  while (pointer.changing) {
    const { cursor, from } = pointer.changing;
    if (!hasTime()) return { ...result, remaining: await countUses(pointer, cursor, deps) };
    const startedMs = deps.clock.monotonicMs();
    const uses = await usesAfter(pointer, cursor, JOBS_A_SECOND, deps);
    if (uses.length > 0 && admits && !(await admits(uses.length)))
      return { ...result, remaining: await countUses(pointer, cursor, deps) };
    await inParallel(uses, CONCURRENCY, (use) => replanUse(use, result, deps));
    const next = progressed(pointer, uses, deps.random.id());
    if (!next.changing && from !== undefined) await expireVersion(pointer, from, deps);
    if ((await deps.calendars.put(next, pointer.etag)) === 'changed')
      return { ...result, remaining: await countUses(pointer, uses.at(-1)?.jobId, deps) };
    pointer = next;
    if (pointer.changing)
      await deps.clock.sleep(Math.max(0, startedMs + SECOND_MS - deps.clock.monotonicMs()));
  }
  return result;
}

function progressed(
  { changing, ...pointer }: CalendarPointer,
  uses: readonly Use[],
  etag: string,
): CalendarPointer {
  const cursor = uses.length === JOBS_A_SECOND ? uses.at(-1)?.jobId : undefined;
  if (!changing || cursor === undefined) return { ...pointer, etag };
  return { ...pointer, etag, changing: { ...changing, cursor } };
}

/** Lets a version expire that was replaced, whether or not a job that was saved meanwhile names it. */
export const expireVersion = (
  key: CalendarKey,
  version: string,
  { calendars, clock, retentionDays }: Pick<ReplanDeps, 'calendars' | 'clock' | 'retentionDays'>,
): Promise<void> => calendars.expireVersion(key, version, versionExpiresAtSec(clock.nowMs(), retentionDays));

/** A job that cannot be planned must not hold up the others: it is logged. */
async function replanUse({ userId, jobId }: Use, result: CalendarReplan, deps: ReplanDeps): Promise<void> {
  try {
    const job = await deps.jobs.get({ userId, jobId });
    const done = job?.calendars && (await replanJob(job, deps));
    if (!done) return;
    result.replanned += 1;
    for (const moved of done.movedIntoPast)
      if (result.movedIntoPast.length < MAX_LISTED) result.movedIntoPast.push({ jobId, ...moved });
  } catch (error) {
    if (isRetryable(error)) throw error;
    deps.log.error('job could not be replanned', error, { userId, jobId });
  }
}

const usesAfter = (
  { userId, calendarId }: CalendarPointer,
  after: string | undefined,
  limit: number,
  { uses }: ReplanCalendarDeps,
): Promise<Use[]> =>
  uses.list(userId, 'calendar', calendarId, { limit, ...(after !== undefined && { after }) });

async function countUses(
  pointer: CalendarPointer,
  after: string | undefined,
  deps: ReplanCalendarDeps,
): Promise<number> {
  let count = 0;
  let last = after;
  for (;;) {
    const page = await usesAfter(pointer, last, COUNTED_A_PAGE, deps);
    count += page.length;
    if (page.length < COUNTED_A_PAGE) return count;
    last = page.at(-1)!.jobId;
  }
}
