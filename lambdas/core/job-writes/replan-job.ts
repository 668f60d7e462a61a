import type { StageDeps } from '../deps';
import type { Actor } from '../domain/actor';
import type { CalendarNow, Replanned } from '../domain/replan';
import { replanned } from '../domain/replan';
import { scheduleOf } from '../domain/entry-planning';
import { changeTimeMs, type Job } from '../domain/job';
import type { MovedIntoPast } from '../schedule/moved-notes';
import type { CalendarStore } from '../store/calendar-store';
import type { ChangeStore } from '../store/change-store';
import { calendarsNow } from '../store/job-calendars';
import { withExpiry } from './expiry';
import { removePendingEntry } from './remove-entries';
import { writePlanned } from './write-planned';
import { startDeadline } from '../store/write-deadline';

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
 * The first entry is that of the first due time since the change of the calendar. `writePlanned` has the
 * order of the writes.
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
  const written = await writePlanned(
    current,
    {
      ...moment,
      job,
      schedule,
      shardCount,
      afterMs: fromMs,
      pausedUntilMs: planned.replannedAtMs,
      end: { plannedUntilMs: fromMs },
    },
    deps,
  );
  if (written.outcome !== 'replaced') return written;
  await removePendingEntry(current, { nowMs, shardCount }, deps);
  return { outcome: 'replaced', replanned: { job, movedIntoPast: schedule.movedIntoPast?.() ?? [] } };
}
