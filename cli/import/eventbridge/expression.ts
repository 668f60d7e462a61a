import type { Definition } from '../../schedules-as-code/definition';
import { Unmapped } from '../json';

interface AwsTiming {
  expression: string;
  timezone?: string;
  startAt?: Date;
  endAt?: Date;
  createdAt?: Date;
  windowMinutes?: number;
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const UNITS: Record<string, string> = { minute: 'm', hour: 'h', day: 'd' };
const UTC = /^(utc|etc\/utc|gmt|etc\/gmt)$/i;
/** At least the largest UTC offset: a local time this long ago is in the past in every time zone. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;

/** Translates a schedule of EventBridge Scheduler to the form of the API. Throws `Unmapped`. */
export function scheduleFromAws(timing: AwsTiming, nowMs: number): { schedule: Definition; notes: string[] } {
  const notes: string[] = [];
  const [, kind, inner = ''] = /^(rate|cron|at)\((.*)\)$/.exec(timing.expression.trim()) ?? [];
  const zone = timing.timezone && !UTC.test(timing.timezone) ? { timezone: timing.timezone } : {};
  if (kind === 'at') return { schedule: atFrom(inner, zone, timing, nowMs, notes), notes };

  const bounds = {
    ...(timing.startAt ? { startAt: timing.startAt.toISOString() } : {}),
    ...(timing.endAt ? { endAt: timing.endAt.toISOString() } : {}),
    ...(timing.windowMinutes ? { jitter: `${timing.windowMinutes}m` } : {}),
  };
  if (timing.endAt && timing.endAt.getTime() <= nowMs)
    throw new Unmapped(`it ended at ${timing.endAt.toISOString()}`);
  if (timing.windowMinutes)
    notes.push(
      `its flexible window of ${timing.windowMinutes} min becomes an offset that is the same for every run`,
    );
  if (kind === 'rate') return { schedule: rateFrom(inner, bounds, timing), notes };
  if (kind === 'cron') return { schedule: { ...cronFrom(inner, zone, notes), ...bounds }, notes };
  throw new Unmapped(`its expression ${JSON.stringify(timing.expression)} is not rate(…), cron(…) or at(…)`);
}

function atFrom(
  local: string,
  zone: Definition,
  { windowMinutes }: AwsTiming,
  nowMs: number,
  notes: string[],
): Definition {
  const asUtcMs = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtcMs)) throw new Unmapped(`its time ${JSON.stringify(local)} is invalid`);
  if (asUtcMs < nowMs - FURTHEST_ZONE_MS) throw new Unmapped(`it is in the past: it was due at ${local}`);
  if (windowMinutes)
    notes.push(`its flexible window of ${windowMinutes} min is not imported: a one-time job has no jitter`);
  return { type: 'at', at: 'timezone' in zone ? local : `${local}Z`, ...zone };
}

/** Keeps the phase: AWS counts from the start date, or from the creation date. */
function rateFrom(text: string, bounds: Definition, { startAt, createdAt }: AwsTiming): Definition {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(text.trim()) ?? [];
  if (!count) throw new Unmapped(`its rate(${text}) is invalid`);
  const anchor = (startAt ?? createdAt)?.toISOString();
  return { type: 'interval', every: `${count}${UNITS[unit]}`, ...(anchor ? { anchor } : {}), ...bounds };
}

function cronFrom(text: string, zone: Definition, notes: string[]): Definition {
  const parts = text.trim().split(/\s+/);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = parts;
  if (parts.length !== 6) throw new Unmapped(`its cron(${text}) has ${parts.length} fields, not 6`);
  const days = dayOfWeek.split(',').map(dayFrom).join();
  const fields = [minute, hour, dayOfMonth === '?' ? '*' : dayOfMonth, month, days];
  const expression = year === '*' ? fields.join(' ') : ['0', ...fields, year].join(' ');
  if (!('timezone' in zone)) return { type: 'cron', expression };
  if (minute.startsWith('*') || hour.startsWith('*'))
    notes.push('when clocks go back, it keeps its interval and fires in both passes of the repeated hour');
  // As in AWS: a time in an hour that a clock change skips does not fire; in a repeated hour, it fires once.
  return { type: 'cron', expression, ...zone, dst: { gap: 'skip', overlap: 'first' } };
}

/** AWS numbers the days of the week from 1 for Sunday. Names mean the same in both. */
function dayFrom(item: string): string {
  if (item === '?' || item === '*') return '*';
  if (item === 'L') return 'SAT';
  const [, nth, , week] = /^((\d)|[A-Z]{3})#([1-5])$/i.exec(item) ?? [];
  if (nth) return `${dayName(nth)}#${week}`;
  const [, last] = /^(\d|[A-Z]{3})L$/i.exec(item) ?? [];
  if (last) return `${dayIndex(last)}L`;
  const [, from = '', to, step] = /^(\d|[A-Z]{3}|\*)(?:-(\d|[A-Z]{3}))?(?:\/(\d+))?$/i.exec(item) ?? [];
  if (from === '') throw new Unmapped(`its day of week ${JSON.stringify(item)} is invalid`);
  if (to === undefined && step === undefined) return dayName(from);
  return daysBetween(from === '*' ? 0 : dayIndex(from), to ? dayIndex(to) : 6, Number(step ?? 1)).join();
}

/** The days by name, since a range such as `FRI-MON` can cross the end of the week. */
function daysBetween(from: number, to: number, step: number): string[] {
  const length = (to - from + 7) % 7;
  const days: string[] = [];
  for (let offset = 0; offset <= length && step > 0; offset += step)
    days.push(DAYS[(from + offset) % 7] as string);
  return days;
}

const dayName = (text: string): string => DAYS[dayIndex(text)] as string;

function dayIndex(text: string): number {
  const index = /^[1-7]$/.test(text) ? Number(text) - 1 : DAYS.indexOf(text.toUpperCase());
  if (index >= 0) return index;
  throw new Unmapped(`its day of week ${JSON.stringify(text)} is invalid`);
}
