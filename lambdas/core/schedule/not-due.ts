import { clockNote } from './clock-notes';
import { parseSchedule } from './parse';
import type { PlannedSchedule, SchedulePlan } from './planned-schedule';
import type { ScheduleContext } from './schedule';
import type { CalendarRef, RecurringSpec, ScheduleSpec } from './spec';

/** Why a schedule has no due time at an instant that a simpler schedule would have. */
export type NotDue =
  /** What covers the instant: entries of `exclude`, as text; `only`, if it lies outside its calendars. */
  | { why: 'excluded'; by: readonly string[] }
  | { why: 'before-start'; startAt: string }
  | { why: 'after-end'; endAt: string }
  /** What the clocks did: `02:30 does not exist on 2027-03-28 (clocks go from 02:00 to 03:00): dropped`. */
  | { why: 'clock-change'; note: string };

/**
 * Why nothing is due at `atMs`: every option that alone would leave it out, else what a change of clocks did.
 * Empty if the expression itself has no such time. Ignores `maxRuns`. `spec` must be a valid schedule.
 */
export function notDueAt(spec: ScheduleSpec, context: ScheduleContext, atMs: number): NotDue[] {
  if (typeof spec === 'string' || !isRecurring(spec)) return [];
  const { exclude = [], only, onExcluded: _, startAt, endAt, ...bare } = spec;
  const isDueWith = (options: Partial<RecurringSpec>) =>
    parseSchedule({ ...bare, ...options } as RecurringSpec, context).occursAt(atMs);
  const schedule = parseSchedule(bare, context);
  if (!schedule.occursAt(atMs)) return clockChangeAt(schedule, atMs);
  const by = [
    ...exclude.filter((entry) => !isDueWith({ exclude: [entry] })).map(exclusionText),
    ...(only && !isDueWith({ only }) ? [`only ${only.map(exclusionText).join(' or ')}`] : []),
  ];
  return [
    ...(startAt !== undefined && !isDueWith({ startAt }) ? [{ why: 'before-start', startAt } as const] : []),
    ...(endAt !== undefined && !isDueWith({ endAt }) ? [{ why: 'after-end', endAt } as const] : []),
    ...(by.length > 0 ? [{ why: 'excluded', by } as const] : []),
  ];
}

const exclusionText = (one: string | CalendarRef): string =>
  typeof one === 'string' ? one : `calendar ${one.calendar}`;

const isRecurring = (spec: Exclude<ScheduleSpec, string>): spec is RecurringSpec =>
  spec.type === 'cron' || spec.type === 'interval';

/** What a change of clocks did to a time that the schedule names, at exactly this instant. */
export function clockNoteAt({ plan }: PlannedSchedule, atMs: number): string | undefined {
  const { zone, wall, clockChanges, jitterMs = 0 } = plan;
  if (!wall || !clockChanges) return undefined;
  const atSec = Math.floor((atMs - jitterMs) / 1000);
  return namesTimeAt(plan, atSec) ? clockNote({ zone, wall, clockChanges }, atSec - 1, atSec) : undefined;
}

function clockChangeAt(schedule: PlannedSchedule, atMs: number): NotDue[] {
  const note = clockNoteAt(schedule, atMs);
  return note === undefined ? [] : [{ why: 'clock-change', note }];
}

/** Whether a wall time is planned that the clocks show at this second, or skip at it. */
function namesTimeAt({ zone, wall }: SchedulePlan, atSec: number): boolean {
  const { startSec, offsetSec, offsetBeforeSec } = zone.segmentAt(atSec);
  const wallSec = atSec + offsetSec;
  const isAfterGap = atSec === startSec && offsetSec > offsetBeforeSec;
  const fromSec = isAfterGap ? startSec + offsetBeforeSec : wallSec;
  const plannedSec = wall?.next(fromSec);
  return plannedSec !== undefined && plannedSec <= wallSec;
}
