import { createHash } from 'node:crypto';

import { DAY_MS, SECOND_MS } from '../clock/clock';
import { parseAwsExpression } from './aws-expression';
import { CronCalendar } from './cron-calendar';
import type { CronExpression } from './cron-expression';
import { allowedOnly, removedNote } from './allowed-times';
import {
  type CalendarInUse,
  calendarsNamedBy,
  checkInterval,
  movedCron,
  movesOccurrences,
  periodsOf,
} from './calendar-rules';
import { parseCronExpression } from './cron-expression';
import { cronPlan } from './cron-plan';
import { parseDuration, parsePeriod } from './duration';
import { excluding, parseExclusions } from './exclusions';
import type { LocalTime } from './instant';
import { instantMsOf, parseDateTime } from './instant';
import { fixedRate, monthlyPlan, withoutExcluded } from './interval-occurrences';
import type { MonthDays } from './month-days';
import { beginningWith, between, delayed, NEVER, once } from './occurrences';
import type { PlannedSchedule, SchedulePlan } from './planned-schedule';
import { plannedSchedule } from './planned-schedule';
import type { ScheduleContext } from './schedule';
import { ScheduleError, ParseError, quoted, readAt } from './schedule-error';
import type {
  CronSpec,
  IntervalSpec,
  OneTimeSpec,
  RecurringOptions,
  RecurringSpec,
  ScheduleSpec,
} from './spec';
import { specInWords } from './schedule-words';
import { parseTimeZone } from './time-zone';
import type { ClockChangePolicy } from './wall-occurrences';
import { AS_THE_CLOCK_SHOWS, wallOccurrences } from './wall-occurrences';
import type { WallPlan } from './wall-plan';
import { singlePlan } from './wall-plan';
import type { Zone } from './zone';
import { zoneOf } from './zone';

const MIN_PERIOD_MS = SECOND_MS;
const MAX_PERIOD_MS = 3_653 * DAY_MS;
const MAX_PERIOD_MONTHS = 120;
const MAX_JITTER_MS = DAY_MS;
const MAX_RUNS = 100_000;

/**
 * Parses a schedule of the right shape. Throws `ScheduleError` if its meaning is impossible. A time in the
 * past, or nothing left to fire, is no error here: a stored schedule is parsed again at any time. See
 * `validateSchedule`.
 */
export function parseSchedule(spec: ScheduleSpec, context: ScheduleContext): PlannedSchedule {
  if (typeof spec === 'string') {
    const words = specInWords(spec);
    if (words) return { ...asOneText(() => parseSchedule(words, context)), spec };
    const plan = readAt('', () => awsPlan(spec, context));
    return plannedSchedule(spec, plan);
  }
  switch (spec.type) {
    case 'cron':
      return recurring(spec, context, (zone) => cronSchedule(spec, zone, context));
    case 'interval':
      return recurring(spec, context, (zone) => intervalPlan(spec, zone, context));
    case 'at':
      return plannedSchedule(spec, atPlan(spec));
    case 'delay':
      return plannedSchedule(spec, delayPlan(spec.delay, context));
    case 'none':
    case 'after':
    case 'event':
      return plannedSchedule(spec, { zone: zoneOf('UTC'), occurrences: NEVER });
  }
}

/** A text has no fields that an error could name. */
function asOneText<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ScheduleError ? new ScheduleError('', error.message) : error;
  }
}

function awsPlan(text: string, context: ScheduleContext): SchedulePlan {
  const zone = zoneOf('UTC');
  const aws = parseAwsExpression(text);
  switch (aws.kind) {
    case 'cron':
      return { zone, ...cronOccurrences(aws.cron, zone, {}) };
    case 'rate': {
      const everyMs = boundedPeriod(text, aws.everyMs);
      return { zone, occurrences: fixedRate(context.changedAtMs, everyMs, 1) };
    }
    case 'at':
      return { zone, oneTime: true, occurrences: once(instantMsOf(text, parseDateTime(aws.local), zone)) };
  }
}

/** Applies the options of all recurring schedules: the limits, and last the jitter. */
function recurring(
  spec: RecurringSpec,
  context: ScheduleContext,
  planIn: (zone: Zone) => SchedulePlan,
): PlannedSchedule {
  const zone = readAt('timezone', () => parseTimeZone(spec.timezone));
  const plan = movesOccurrences(spec) ? planIn(zone) : withCalendars(spec, context, planIn(zone));
  const startMs = instantAt('startAt', spec.startAt, zone);
  const endMs = instantAt('endAt', spec.endAt, zone) ?? Number.POSITIVE_INFINITY;
  if (startMs !== undefined && endMs <= startMs) {
    throw new ScheduleError(
      'endAt',
      `${quoted(spec.endAt)} must be later than startAt, ${quoted(spec.startAt)}`,
    );
  }
  const jitterMs = jitterOffsetMs(context.jobKey, jitterWindowMs(spec.jitter));
  const occurrences = delayed(
    jitterMs,
    between(startMs ?? Number.NEGATIVE_INFINITY, endMs, plan.occurrences),
  );
  return plannedSchedule(spec, {
    ...plan,
    ...(calendarsNamedBy(spec).length > 0 && { calendarEnds: endsOf(context.calendars) }),
    occurrences,
    startMs,
    endMs: Number.isFinite(endMs) ? endMs + jitterMs : undefined,
    jitterMs,
    maxRuns: checkedMaxRuns(spec.maxRuns),
  });
}

const endsOf =
  (calendars: readonly CalendarInUse[] = []) =>
  (day: string): string[] =>
    calendars.flatMap(({ id, calendar }) => {
      const note = calendar.endNote(day);
      return note === undefined ? [] : [`${id} ${note}`];
    });

/** The plan without what calendars exclude. */
function withCalendars(
  spec: RecurringSpec,
  { calendars }: ScheduleContext,
  plan: SchedulePlan,
): SchedulePlan {
  if (calendarsNamedBy(spec).length === 0) return plan;
  const [{ allowed }] = periodsOf(spec, plan.zone, calendars);
  const { occurrences } = plan;
  return {
    ...plan,
    occurrences: allowedOnly(occurrences, allowed, plan.plannedDays),
    calendarNote: (afterMs, beforeMs) => removedNote(occurrences, allowed, { afterMs, beforeMs }),
  };
}

function instantAt(path: string, text: string | undefined, zone: Zone): number | undefined {
  return text === undefined ? undefined : readAt(path, () => instantMsOf(text, parseDateTime(text), zone));
}

function jitterWindowMs(text: string | undefined): number {
  const windowMs = readAt('jitter', () => parseDuration(text ?? '0s'));
  if (windowMs <= MAX_JITTER_MS) return windowMs;
  throw new ScheduleError('jitter', `${quoted(text)} is too long; allowed is 0s to 24h`);
}

function checkedMaxRuns(maxRuns: number | undefined): number | undefined {
  if (maxRuns === undefined || (Number.isInteger(maxRuns) && maxRuns >= 1 && maxRuns <= MAX_RUNS))
    return maxRuns;
  throw new ScheduleError('maxRuns', `${quoted(maxRuns)} must be a whole number from 1 to ${MAX_RUNS}`);
}

function cronSchedule(spec: CronSpec, zone: Zone, { calendars }: ScheduleContext): SchedulePlan {
  const cron = readAt('expression', () => parseCronExpression(spec.expression));
  if (!movesOccurrences(spec)) return { zone, ...cronOccurrences(cron, zone, spec) };
  const policy = chosen(spec.dst);
  const exclusions = parseExclusions(spec.exclude ?? []);
  const periods = periodsOf(spec, zone, calendars);
  const occurrences = movedCron(spec, cron, { exclusions, zone, policy, periods });
  return {
    zone,
    occurrences,
    clockChanges: policy,
    calendarNote: (lastMs, atMs) => occurrences.note(lastMs, atMs),
    movedIntoPast: () => occurrences.movedIntoPast(),
  };
}

function cronOccurrences(cron: CronExpression, zone: Zone, { dst, exclude = [] }: RecurringOptions) {
  const wall = cronPlan(cron, parseExclusions(exclude));
  const days = new CronCalendar(cron);
  const clockChanges = cron.interval ? AS_THE_CLOCK_SHOWS : chosen(dst);
  const plannedDays: MonthDays = (year, month) => days.daysOf(year, month);
  return { wall, clockChanges, plannedDays, occurrences: wallOccurrences(wall, zone, clockChanges) };
}

const chosen = (dst: RecurringOptions['dst']): ClockChangePolicy => ({
  gap: dst?.gap ?? 'shift',
  overlap: dst?.overlap ?? 'first',
});

function intervalPlan(spec: IntervalSpec, zone: Zone, { changedAtMs }: ScheduleContext): SchedulePlan {
  const period = readAt('every', () => parsePeriod(spec.every));
  const anchor = anchorOf(spec, zone);
  checkInterval(spec);
  const exclusions = parseExclusions(spec.exclude ?? []);
  if ('ms' in period) {
    const everyMs = readAt('every', () => boundedPeriod(spec.every, period.ms));
    // the change of the schedule itself is no occurrence
    const steady = fixedRate(anchor?.ms ?? changedAtMs, everyMs, anchor ? 0 : 1);
    return { zone, occurrences: withoutExcluded(steady, zone, exclusions) };
  }
  if (period.months > MAX_PERIOD_MONTHS) throw new ScheduleError('every', periodRange(spec.every));
  const { wallSec, fractionMs } = anchor?.local ?? wallTimeAt(changedAtMs, zone);
  const clockChanges = chosen(spec.dst);
  const planFrom = (first: 0 | 1) => excluding(monthlyPlan(wallSec, period.months, first), exclusions);
  const occurrencesOf = (plan: WallPlan) => delayed(fractionMs, wallOccurrences(plan, zone, clockChanges));
  const wall = planFrom(anchor ? 0 : 1);
  if (!anchor?.isInstant) return { zone, wall, clockChanges, occurrences: occurrencesOf(wall) };
  // an anchor with an offset is an instant, so it names its pass of repeated time itself
  const later = occurrencesOf(clockChanges.overlap === 'both' ? wall : planFrom(1));
  const isExcluded = wall.next(wallSec) !== wallSec;
  return { zone, wall, clockChanges, occurrences: beginningWith(anchor.ms, later, isExcluded) };
}

interface Anchor {
  ms: number;
  local: LocalTime;
  /** Given with an offset: the local time follows from the instant, not the instant from the local time. */
  isInstant: boolean;
}

function anchorOf({ anchor: text }: IntervalSpec, zone: Zone): Anchor | undefined {
  if (text === undefined) return undefined;
  return readAt('anchor', () => {
    const given = parseDateTime(text);
    const ms = instantMsOf(text, given, zone);
    const isInstant = 'ms' in given;
    return { ms, isInstant, local: isInstant ? wallTimeAt(ms, zone) : given };
  });
}

function wallTimeAt(ms: number, zone: Zone): LocalTime {
  const sec = Math.floor(ms / 1000);
  return { wallSec: sec + zone.segmentAt(sec).offsetSec, fractionMs: ms - sec * 1000 };
}

function boundedPeriod(text: string, ms: number): number {
  if (ms >= MIN_PERIOD_MS && ms <= MAX_PERIOD_MS) return ms;
  throw new ParseError(periodRange(text));
}

const periodRange = (text: string): string =>
  `${quoted(text)} is out of range; allowed is 1 second to 10 years`;

function atPlan(spec: Extract<OneTimeSpec, { type: 'at' }>): SchedulePlan {
  const zone = readAt('timezone', () => parseTimeZone(spec.timezone));
  return readAt('at', () => {
    const at = parseDateTime(spec.at);
    if (!('ms' in at) && spec.timezone === undefined) {
      throw new ParseError(
        `${quoted(spec.at)} is local time: give it an offset ("Z", "+02:00") or set timezone`,
      );
    }
    const occurrences = once(instantMsOf(spec.at, at, zone));
    if ('ms' in at) return { zone, oneTime: true, occurrences };
    return {
      zone,
      oneTime: true,
      occurrences,
      wall: singlePlan(at.wallSec),
      clockChanges: chosen(undefined),
    };
  });
}

function delayPlan(text: string, { changedAtMs }: ScheduleContext): SchedulePlan {
  const delayMs = readAt('delay', () => boundedPeriod(text, parseDuration(text)));
  return { zone: zoneOf('UTC'), oneTime: true, occurrences: once(changedAtMs + delayMs) };
}

/**
 * The offset of a job within a window, in whole seconds: `0 <= offset < windowMs`. The same job and window
 * always give the same offset, and offsets spread evenly over jobs.
 */
export function jitterOffsetMs(jobKey: string, windowMs: number): number {
  if (windowMs === 0) return 0;
  const fraction = createHash('sha256').update(jobKey).digest().readUIntBE(0, 6) / 2 ** 48;
  return Math.floor((fraction * windowMs) / 1000) * 1000;
}
