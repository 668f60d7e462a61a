import { parseSchedule } from './parse';
import type { PlannedSchedule } from './planned-schedule';
import type { ScheduleContext } from './schedule';
import { ScheduleError, quoted } from './schedule-error';
import { type ExternalSpec, isExternal, type ScheduleSpec } from './spec';

/**
 * Parses a schedule that a user sets at `nowMs`. Throws `ScheduleError` if it is invalid, and if no due time
 * is later than `nowMs`. That is a past `at` or `endAt`, or a schedule that never fires. A schedule whose
 * executions something else starts needs no due time.
 */
export function validateSchedule(
  spec: ScheduleSpec,
  context: ScheduleContext,
  nowMs: number,
): PlannedSchedule {
  const schedule = parseSchedule(spec, context);
  if (isExternal(spec)) return schedule;
  if (schedule.next(nowMs) === undefined) throw new ScheduleError(...whyNever(spec, context, nowMs));
  return schedule;
}

/** The path and the message: what must change so that the schedule fires. */
function whyNever(
  spec: Exclude<ScheduleSpec, ExternalSpec>,
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
  if (spec.only?.length && fires({ only: undefined }))
    return ['only', `${quoted(spec.only)} leaves nothing to fire`];
  if (spec.endAt !== undefined && fires({ endAt: undefined })) {
    return ['endAt', `${quoted(spec.endAt)} comes before the first occurrence after now, ${now}`];
  }
  return spec.type === 'cron'
    ? ['expression', `${quoted(spec.expression)} never fires after now, ${now}`]
    : ['every', `${quoted(spec.every)} never fires after now, ${now}`];
}
