import { DAY_MS } from '../clock/clock';
import { clockNote, spacingNote } from './clock-notes';
import { localText } from './instant';
import type { PlannedSchedule, SchedulePlan } from './planned-schedule';

export interface PreviewedTime {
  atMs: number;
  /** `2026-03-29T03:00:00+02:00`: the clock of the schedule's zone. */
  local: string;
  /**
   * Present if a clock change or a calendar moved, doubled or dropped something: at this time, or since the
   * one before.
   */
  note?: string;
}

/**
 * 100 years, for a schedule with calendars. They may leave one day in forty years. What they do between a
 * hundred of those would take too long to read.
 */
const MOST_AHEAD_MS = 36_525 * DAY_MS;

/**
 * The next `count` due times later than `fromMs`; fewer where the schedule ends, by `maxRuns` counted from
 * `fromMs`. With calendars, none is more than 100 years later than the first.
 */
export function preview(schedule: PlannedSchedule, fromMs: number, count: number): PreviewedTime[] {
  const times: PreviewedTime[] = [];
  const most = Math.min(count, schedule.maxRuns ?? count);
  let lastMs = Math.max(fromMs, schedule.plan.startMs ?? fromMs);
  let atMs = schedule.next(fromMs);
  const untilMs = schedule.plan.calendarNote && (atMs ?? fromMs) + MOST_AHEAD_MS;
  while (atMs !== undefined && times.length < most) {
    const local = localText(atMs, schedule.plan.zone);
    const note = noteOf(schedule.plan, lastMs, atMs, times.length === 0);
    times.push(note === undefined ? { atMs, local } : { atMs, local, note });
    lastMs = atMs;
    atMs = schedule.next(atMs, untilMs);
  }
  return times;
}

function noteOf(plan: SchedulePlan, lastMs: number, atMs: number, isFirst: boolean): string | undefined {
  const { zone, wall, clockChanges, calendarNote, jitterMs = 0 } = plan;
  const lastSec = Math.floor((lastMs - jitterMs) / 1000);
  const atSec = Math.floor((atMs - jitterMs) / 1000);
  const ofCalendars = calendarNote?.(lastMs - jitterMs, atMs - jitterMs);
  const ofClocks =
    wall && clockChanges
      ? clockNote({ zone, wall, clockChanges }, lastSec, atSec)
      : isFirst || clockChanges
        ? undefined
        : spacingNote(zone, lastSec, atSec);
  const notes = [ofClocks, ofCalendars, ...endedSince(plan, isFirst ? undefined : lastMs, atMs)].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? undefined : notes.join('; ');
}

/** The calendars that know nothing any more, and did at the time before. Each is said once. */
function endedSince(
  { calendarEnds, zone }: SchedulePlan,
  lastMs: number | undefined,
  atMs: number,
): string[] {
  if (!calendarEnds) return [];
  const dayOf = (ms: number): string => localText(ms, zone).slice(0, 10);
  const before = lastMs === undefined ? [] : calendarEnds(dayOf(lastMs));
  return calendarEnds(dayOf(atMs)).filter((note) => !before.includes(note));
}
