import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { dispatchAhead } from '../dispatch/dispatch-ahead';
import type { Actor } from '../domain/actor';
import type { CalendarNow, Replanned } from '../domain/replan';
import { replanned } from '../domain/replan';
import { entryAfter, scheduleOf } from '../domain/entry-planning';
import type { OccurrenceEntry } from '../domain/entry';
import { changeTimeMs, type Job } from '../domain/job';
import { runsThrough } from '../domain/planned-times';
import { shardOf } from '../domain/shard';
import type { MovedIntoPast } from '../schedule/moved-notes';
import type { Schedule } from '../schedule/schedule';
import type { CalendarStore } from '../store/calendar-store';
import type { ChangeStore } from '../store/change-store';
import { calendarsNow } from '../store/job-calendars';
import { withExpiry } from './expiry';
import { keepState } from './keep-state';
import { recordPausedRange } from './record-paused-range';
import { removePendingEntry } from './remove-entries';
import { startDeadline, withinDeadline } from '../store/write-deadline';

export interface ReplanDeps extends StageDeps {
  calendars: CalendarStore;
  changes: ChangeStore;
}

export interface ReplannedJob {
  job: Job;
  /** What the change moved into the past. It does not run, and has no row. */
  movedIntoPast: MovedIntoPast[];
}

const MAX_TRIES = 5;

/** A job's changes of calendars, as its history shows them. */
const actorOf = (calendarId: string): Actor => ({ sub: `calendar:${calendarId}`, name: null, via: 'system' });

/**
 * Plans a job by its calendars as they are now; undefined if it is planned so, or is gone.
 * `scheduleChangedAtMs` stays, so delays, anchors and `maxRuns` do not move. No quota refuses the
 * auditor.
 *
 * Order of writes: the state before → an entry → the job (conditional) → dispatch ahead. The entry is that of
 * the first due time since the change of the calendar. Whatever of that was dispatched before has a row
 * already, and is not run again.
 *
 * Throws if a store or queue fails, and if the schedule cannot be read.
 *
 * @param beforeWrites is awaited before the first write of each try
 */
export async function replanJob(
  seen: Job,
  deps: ReplanDeps,
  beforeWrites: () => Promise<void> = async () => undefined,
): Promise<ReplannedJob | undefined> {
  let job: Job | undefined = seen;
  for (let tries = 0; tries < MAX_TRIES && job; tries++) {
    const now: Map<string, CalendarNow> = await calendarsNow(job, deps.calendars, deps.clock);
    const change: Replanned | undefined = replanned(job, now, deps.clock.nowMs());
    if (!change) return undefined;
    await beforeWrites();
    const saved: { outcome: 'replaced'; replanned: ReplannedJob } | { outcome: 'changed'; current?: Job } =
      await save(job, change, deps);
    if (saved.outcome === 'replaced') return saved.replanned;
    job = saved.current;
  }
  return undefined;
}

async function save(
  current: Job,
  { fromMs, ...planned }: Replanned,
  deps: ReplanDeps,
): Promise<{ outcome: 'replaced'; replanned: ReplannedJob } | { outcome: 'changed'; current?: Job }> {
  const shardCount = await deps.shardCount();
  const moment = startDeadline(deps.clock);
  const { nowMs } = moment;
  const { note: _, lastChange: __, ...rest } = current;
  const changed = planned.calendars.find(
    ({ id, sinceMs }) => current.calendars?.find((one) => one.id === id)?.sinceMs !== sinceMs,
  )!;
  const next: Job = {
    ...rest,
    ...planned,
    updatedAtMs: changeTimeMs(current, nowMs),
    by: actorOf(changed.id),
    changeNumber: current.changeNumber + 1,
    lastChange: { what: 'replanned' },
    generation: current.generation + 1,
    revision: deps.random.id(),
    etag: deps.random.id(),
  };
  const { job, schedule } = withExpiry(next, scheduleOf(next), deps);
  await recordPausedRange(current, planned.replannedAtMs, deps);
  await keepState(current, moment, deps, { plannedUntilMs: fromMs });
  const entry =
    job.status === 'active' ? firstSince(job, schedule, fromMs, { nowMs, shardCount }) : undefined;
  if (entry) await deps.schedule.putEntries([entry], moment.leftMs());
  const written = await withinDeadline(
    moment,
    (options) => deps.jobs.replace(job, current.etag, options),
    deps,
  );
  if (written.outcome !== 'replaced') return written;
  if (entry) await dispatchFirst(entry, job, deps);
  await removePendingEntry(current, { nowMs, shardCount }, deps);
  return { outcome: 'replaced', replanned: { job, movedIntoPast: schedule.movedIntoPast?.() ?? [] } };
}

const firstSince = (
  job: Job,
  schedule: Schedule,
  afterMs: number,
  { nowMs, shardCount }: { nowMs: number; shardCount: number },
): OccurrenceEntry | undefined =>
  entryAfter(job, schedule, {
    afterMs,
    runsBefore: runsThrough(job, schedule, afterMs),
    shard: shardOf(jobKeyOf(job), shardCount),
    nowMs,
  });

/** The job and its entry are written: the sweeper's recheck makes up for a failure. */
async function dispatchFirst(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  try {
    await dispatchAhead(entry, job, deps);
  } catch (error) {
    deps.log.error('first occurrences are left to the recheck', error, { job: jobKeyOf(job) });
  }
}
