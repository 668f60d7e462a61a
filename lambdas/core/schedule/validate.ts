import { parseSchedule } from './parse';
import type { PlannedSchedule } from './planned-schedule';
import type { ScheduleContext } from './schedule';
import { ScheduleError, quoted } from './schedule-error';
import type { ScheduleSpec } from './spec';

/**
 * Reads a schedule that a user hands in at `nowMs`, and asks that it has a future: an `at` that is past, an `endAt`
 * that is, or a schedule that can never fire is a `ScheduleError` here.
 */
export function validateSchedule(
  spec: ScheduleSpec,
  context: ScheduleContext,
  nowMs: number,
): PlannedSchedule {
  const schedule = parseSchedule(spec, context);
  if (schedule.next(nowMs) === undefined) throw new ScheduleError(...whyNever(spec, context, nowMs));
  return schedule;
}

/** Path and message: what must change for the schedule to fire again. */
function whyNever(
  spec: ScheduleSpec,
  context: ScheduleContext,
  nowMs: number,
): [path: string, message: string] {
  const now = new Date(nowMs).toISOString();
  if (typeof spec === 'string') return ['', `${quoted(spec)} never fires after now, ${now}`];
  if (spec.type === 'at') return ['at', `${quoted(spec.at)} is past; it must be later than now, ${now}`];
  if (spec.type === 'delay')
    return ['delay', `${quoted(spec.delay)} is over; it must end later than now, ${now}`];
  const fires = (without: object) =>
    parseSchedule({ ...spec, ...without }, context).next(nowMs) !== undefined;
  if (spec.exclude?.length && fires({ exclude: [] })) {
    return ['exclude', `${quoted(spec.exclude)} leaves nothing to fire`];
  }
  if (spec.endAt !== undefined && fires({ endAt: undefined })) {
    return ['endAt', `${quoted(spec.endAt)} comes before the first occurrence after now, ${now}`];
  }
  return spec.type === 'cron'
    ? ['expression', `${quoted(spec.expression)} never fires after now, ${now}`]
    : ['every', `${quoted(spec.every)} never fires after now, ${now}`];
}
