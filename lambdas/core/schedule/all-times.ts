import { parseAwsExpression } from './aws-expression';
import { parsePeriod } from './duration';
import { instantMsOf, parseDateTime } from './instant';
import { parseSchedule } from './parse';
import type { PlannedSchedule } from './planned-schedule';
import type { ScheduleContext } from './schedule';
import { specInWords } from './schedule-words';
import type { IntervalSpec, ScheduleSpec } from './spec';
import { parseTimeZone } from './time-zone';

/**
 * A schedule without its bounds in time: as if it had always been there. `startAt`, `endAt` and `maxRuns` do
 * not count. An interval of a fixed length has due times before its anchor too, or before the change of the
 * schedule that it counts from. One of months begins there.
 *
 * @param fromMs what is asked for begins here
 */
export function scheduleOfAllTimes(
  spec: ScheduleSpec,
  context: ScheduleContext,
  fromMs: number,
): PlannedSchedule {
  if (typeof spec === 'string') {
    const words = specInWords(spec);
    if (words) return scheduleOfAllTimes(words, context, fromMs);
    const aws = parseAwsExpression(spec);
    if (aws.kind !== 'rate') return parseSchedule(spec, context);
    return parseSchedule(spec, {
      ...context,
      changedAtMs: shifted(context.changedAtMs, aws.everyMs, fromMs),
    });
  }
  if (spec.type !== 'cron' && spec.type !== 'interval') return parseSchedule(spec, context);
  const { startAt: _start, endAt: _end, maxRuns: _runs, ...unbounded } = spec;
  if (unbounded.type === 'cron') return parseSchedule(unbounded, context);
  return parseSchedule(...withEarlierAnchor(unbounded, context, fromMs));
}

function withEarlierAnchor(
  spec: IntervalSpec,
  context: ScheduleContext,
  fromMs: number,
): [IntervalSpec, ScheduleContext] {
  const period = parsePeriod(spec.every);
  if (!('ms' in period)) return [spec, context];
  if (spec.anchor === undefined)
    return [spec, { ...context, changedAtMs: shifted(context.changedAtMs, period.ms, fromMs) }];
  const zone = parseTimeZone(spec.timezone);
  const anchorMs = instantMsOf(spec.anchor, parseDateTime(spec.anchor), zone);
  return [{ ...spec, anchor: new Date(shifted(anchorMs, period.ms, fromMs)).toISOString() }, context];
}

/** The last instant of the same grid that lies a whole period before `fromMs`; `atMs` if that is earlier. */
const shifted = (atMs: number, everyMs: number, fromMs: number): number =>
  atMs - Math.max(0, Math.ceil((atMs - fromMs) / everyMs) + 1) * everyMs;
