import { type Clock, ianaClock, instantOf } from '../../../client/ics/clock';
import { isObject } from '../../is-object';
import type { Definition } from '../../schedules-as-code/definition';
import { cronToAws } from './cron';
import { secondsOf } from './length';
import { Unexportable } from './unexportable';

/** The fields of a schedule of AWS that say when it fires. Dates are RFC 3339. */
export interface AwsTimes {
  ScheduleExpression: string;
  ScheduleExpressionTimezone: string;
  StartDate?: string;
  EndDate?: string;
  FlexibleTimeWindow: { Mode: 'OFF' } | { Mode: 'FLEXIBLE'; MaximumWindowInMinutes: number };
}

interface Given {
  schedule: unknown;
  /** From when an interval without an anchor, and a delay, count. */
  changedAtMs: number;
  nowMs: number;
}

const UTC = 'UTC';
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
const OFF = { FlexibleTimeWindow: { Mode: 'OFF' } } as const;
/** Fields without which a schedule of AWS would fire at other times. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  exclude: 'its schedule excludes times',
  only: 'its schedule keeps to calendars',
  maxRuns: 'its schedule ends after maxRuns',
};

/** Translates a schedule to EventBridge Scheduler. Throws `Unexportable`. */
export function timesForAws({ schedule, changedAtMs, nowMs }: Given): { times: AwsTimes; notes: string[] } {
  if (typeof schedule === 'string') return { times: ofText(schedule, { changedAtMs, nowMs }), notes: [] };
  const spec = schedule as Definition;
  const without = Object.keys(WITHOUT_COUNTERPART).find((field) => isGiven(spec[field]));
  if (without !== undefined) throw new Unexportable(WITHOUT_COUNTERPART[without]);
  const zone = (spec.timezone as string | undefined) ?? UTC;
  const notes: string[] = [];
  switch (spec.type) {
    case 'at':
      return { times: { ...at(String(spec.at), zone), ...OFF }, notes };
    case 'delay': {
      const dueAt = new Date(changedAtMs + SECOND_MS * secondsOf(String(spec.delay))).toISOString();
      notes.push(`its delay becomes the time at which it ends, ${dueAt}`);
      return { times: { ...at(`${dueAt.slice(0, 19)}Z`, UTC), ...OFF }, notes };
    }
    case 'interval':
      return { times: { ...rate(spec, { zone, changedAtMs, nowMs }), ...windowOf(spec, notes) }, notes };
    case 'cron': {
      const dst = isObject(spec.dst) ? spec.dst : {};
      if (!isUtc(zone) && (dst.gap !== 'skip' || (dst.overlap ?? 'first') !== 'first'))
        notes.push('a time that a clock change skips does not fire there, and a repeated time fires once');
      const expression = `cron(${cronToAws(String(spec.expression))})`;
      const dates = { ...startOf(spec, zone, nowMs), ...endOf(spec, zone) };
      return {
        times: {
          ScheduleExpression: expression,
          ScheduleExpressionTimezone: zone,
          ...dates,
          ...windowOf(spec, notes),
        },
        notes,
      };
    }
    default:
      throw new Unexportable(`its schedule of type ${String(spec.type)} has no times of its own`);
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);
const isUtc = (zone: string): boolean => /^(?:Etc\/)?(?:UTC|GMT)$/i.test(zone);

/** `rate(…)`, `cron(…)` and `at(…)` are those of AWS, in UTC. */
function ofText(text: string, { changedAtMs, nowMs }: Omit<Given, 'schedule'>): AwsTimes {
  const [, kind, inner = ''] = /^(rate|cron|at)\((.*)\)$/.exec(text.trim()) ?? [];
  if (kind === 'rate') {
    const [count = '', unit = ''] = inner.trim().split(/\s+/);
    const every = `${count}${unit.charAt(0)}`;
    return { ...rate({ type: 'interval', every }, { zone: UTC, changedAtMs, nowMs }), ...OFF };
  }
  if (kind !== undefined) return { ScheduleExpression: text.trim(), ScheduleExpressionTimezone: UTC, ...OFF };
  const [, every] = /^@?every\s+(.+)$/.exec(text.trim()) ?? [];
  if (every !== undefined)
    return { ...rate({ every: every.replaceAll(' ', '') }, { zone: UTC, changedAtMs, nowMs }), ...OFF };
  return { ScheduleExpression: `cron(${cronToAws(text)})`, ScheduleExpressionTimezone: UTC, ...OFF };
}

/** A time to the second: local, or in UTC. */
function at(text: string, zone: string): Pick<AwsTimes, 'ScheduleExpression' | 'ScheduleExpressionTimezone'> {
  const isLocal = !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const ms = Date.parse(isLocal ? `${text}Z` : text);
  if (ms % SECOND_MS !== 0) throw new Unexportable(`its time ${text} is not a whole second`);
  const local = new Date(ms).toISOString().slice(0, 19);
  return { ScheduleExpression: `at(${local})`, ScheduleExpressionTimezone: isLocal ? zone : UTC };
}

/** A rate begins at its start date, so the first time that is still to come keeps the phase. */
function rate(
  spec: Definition,
  { zone, changedAtMs, nowMs }: { zone: string } & Omit<Given, 'schedule'>,
): Omit<AwsTimes, 'FlexibleTimeWindow'> {
  const every = String(spec.every);
  const everyMs = SECOND_MS * secondsOf(every);
  if (everyMs % MINUTE_MS !== 0)
    throw new Unexportable(`its interval ${every} is not a whole number of minutes`);
  const anchorMs = spec.anchor === undefined ? changedAtMs : msOf(spec.anchor as string, zone);
  const startMs = spec.startAt === undefined ? nowMs : Math.max(nowMs, msOf(spec.startAt as string, zone));
  // without an anchor, the first time is one interval after the change
  const least = spec.anchor === undefined ? 1 : 0;
  const firstMs = anchorMs + Math.max(least, Math.ceil((startMs - anchorMs) / everyMs)) * everyMs;
  return {
    ScheduleExpression: `rate(${rateText(every, everyMs)})`,
    ScheduleExpressionTimezone: UTC,
    StartDate: new Date(firstMs).toISOString(),
    ...endOf(spec, zone),
  };
}

const UNITS = [
  ['d', 'day', DAY_MS],
  ['h', 'hour', HOUR_MS],
  ['m', 'minute', MINUTE_MS],
] as const;

/** In the unit of the interval if it has one, else in the largest that fits. */
function rateText(every: string, everyMs: number): string {
  const own = /^\d+([mhd])$/.exec(every)?.[1];
  const [, name, unitMs] = UNITS.find(([unit, , ms]) => unit === own || (!own && everyMs % ms === 0))!;
  const count = everyMs / unitMs;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** A start in the past says nothing any more of a cron expression. */
function startOf(spec: Definition, zone: string, nowMs: number): { StartDate?: string } {
  const startMs = spec.startAt === undefined ? nowMs : msOf(spec.startAt as string, zone);
  return startMs > nowMs ? { StartDate: new Date(startMs).toISOString() } : {};
}

const endOf = (spec: Definition, zone: string): { EndDate?: string } =>
  spec.endAt === undefined ? {} : { EndDate: new Date(msOf(spec.endAt as string, zone)).toISOString() };

function windowOf({ jitter = '0s' }: Definition, notes: string[]): Pick<AwsTimes, 'FlexibleTimeWindow'> {
  const ms = SECOND_MS * secondsOf(String(jitter));
  if (ms === 0) return OFF;
  if (ms % MINUTE_MS !== 0)
    throw new Unexportable(`its jitter ${String(jitter)} is not a whole number of minutes`);
  notes.push('its jitter, which is the same for every run, becomes a flexible window');
  return { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: ms / MINUTE_MS } };
}

/** An instant, or a local time of a zone. */
function msOf(text: string, zone: string): number {
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return Date.parse(text);
  const clock: Clock | undefined = ianaClock(zone);
  if (!clock) throw new Unexportable(`its zone ${JSON.stringify(zone)} is not known here`);
  return instantOf(clock, Date.parse(`${text}${text.includes('T') ? '' : 'T00:00:00'}Z`));
}
