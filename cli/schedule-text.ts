import { CliError } from './exit-codes';
import { isObject } from './is-object';

const UNITS = ['s', 'm', 'h', 'd'] as const;
const UNIT_SEC = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** `90s`, `1h30m`, `5 minutes`, `1 hour 30 min`. */
const PART = /(\d{1,9}) *(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?)(?![a-z])[ ,]*/gi;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Parses a schedule that was typed on a command line:
 *
 *     30 9 * * MON-FRI        cron, five to seven fields; @hourly, @daily …
 *     every 30s               interval; also 1h30m alone, 5 minutes, and cron's @every 5m
 *     in 10m                  once, this long from now
 *     2026-12-01T09:00:00Z    once, at this time; without an offset, in `timezone`
 *     rate(5 minutes)         as in EventBridge Scheduler; also cron(…) and at(…)
 *     after ingest, clean     whenever an execution of one of these jobs has succeeded
 *     event order.paid        at each event of this name
 *     none                    never by itself: something else starts it
 *     {"type":"cron", …}      as in the API
 *
 * Recognises the form only: the API checks the rest. Throws a `CliError` if the text has none of these forms.
 */
export function scheduleOf(
  typed: string,
  { timezone }: { timezone?: string } = {},
): string | Record<string, unknown> {
  const text = typed.trim();
  const zone = timezone === undefined ? {} : { timezone };
  if (text.startsWith('{')) return { ...objectOf(text), ...zone };
  const external = externalIn(text);
  if (external) return external;
  if (/^(rate|cron|at)\(/.test(text)) {
    if (timezone === undefined) return text;
    throw new CliError(`${text} is always in UTC; to set a time zone, use a plain cron expression`);
  }
  const [, kind, amount = ''] =
    /^(@?every|in) +(.+)$/.exec(text) ?? (durationIn(text) ? ['', 'every', text] : []);
  const duration = kind && durationIn(amount);
  if (duration && kind !== 'in') return { type: 'interval', every: duration, ...zone };
  const [, offset] = INSTANT.exec(text) ?? [];
  if (timezone !== undefined && (duration || offset))
    throw new CliError(
      `${JSON.stringify(typed)} is an exact moment, so --timezone has no effect: leave it out`,
    );
  if (duration) return { type: 'delay', delay: duration };
  if (INSTANT.test(text)) return { type: 'at', at: text.replace(' ', 'T'), ...(offset ? {} : zone) };
  const fieldCount = text.split(/\s+/).length;
  if (/^@[a-z]+$/.test(text) || (fieldCount >= 5 && fieldCount <= 7))
    return { type: 'cron', expression: text, ...zone };
  throw new CliError(
    `${JSON.stringify(typed)} is not a schedule: expected a cron expression, "every 30s", "in 10m", ` +
      '"2026-12-01T09:00:00Z", "rate(5 minutes)", "after JOB", "event NAME", "none", or JSON',
  );
}

/** A schedule without due times. Undefined if the text is none. */
function externalIn(text: string): Record<string, unknown> | undefined {
  if (text === 'none') return { type: 'none' };
  const [, kind, names = ''] = /^(after|event) +(.+)$/.exec(text) ?? [];
  if (kind === 'event') return { type: 'event', name: names };
  return kind === 'after' ? { type: 'after', jobs: names.split(/[ ,]+/).filter(Boolean) } : undefined;
}

/** A duration as the API takes it: as it was typed, as far as that goes. Undefined if the text is none. */
function durationIn(text: string): string | undefined {
  if (/^P\S+$/.test(text)) return text;
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  const units = parts.map(([, , unit = '']) => unit.charAt(0).toLowerCase() as keyof typeof UNIT_SEC);
  const isInOrder = units.every((unit, index) => index === 0 || UNIT_SEC[unit] < UNIT_SEC[units[index - 1]!]);
  if (isInOrder) return parts.map(([, count], index) => `${Number(count)}${units[index]}`).join('');
  const smallest = UNITS.find((unit) => units.includes(unit)) as keyof typeof UNIT_SEC;
  const sec = parts.reduce((sum, [, count], index) => sum + Number(count) * UNIT_SEC[units[index] ?? 's'], 0);
  return `${sec / UNIT_SEC[smallest]}${smallest}`;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new CliError(`the schedule is not JSON: ${(cause as Error).message}`, undefined, { cause });
  }
}

/** A schedule on one line of text: as it is typed on the command line, or as JSON if it has no such form. */
export function describeSchedule(schedule: unknown): string {
  if (typeof schedule === 'string') return schedule;
  const { type, expression, every, at, delay, timezone } = schedule as Record<string, string | undefined>;
  const zone = timezone ? ` ${timezone}` : '';
  if (type === 'cron') return `${expression}${zone}`;
  if (type === 'interval') return `every ${every}${zone}`;
  if (type === 'at') return `${at}${zone}`;
  if (type === 'none') return 'none';
  if (type === 'after') return `after ${(schedule as { jobs: string[] }).jobs.join(', ')}`;
  if (type === 'event') return `event ${(schedule as { name: string }).name}`;
  return type === 'delay' ? `in ${delay}` : JSON.stringify(schedule);
}

/** The IANA time zone that a schedule names; undefined if its times are in UTC. */
export function timeZoneOf(schedule: unknown): string | undefined {
  const zone = isObject(schedule) ? schedule.timezone : undefined;
  return typeof zone === 'string' ? zone : undefined;
}
