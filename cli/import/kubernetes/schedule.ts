import { CRON_MACROS } from '../../cron-macros';
import type { Definition } from '../../schedules-as-code/definition';
import { Unmapped } from '../json';

/** The zone of a CronJob that names none is that of the cluster's controller. */
interface ScheduleOptions {
  timeZone: string | undefined;
  defaultZone: string | undefined;
}

export interface Timing {
  schedule: Definition;
  notes: string[];
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const DAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');

/** A field of an expression, as Kubernetes reads it. */
interface Field {
  name: string;
  least: number;
  most: number;
  /** In place of numbers, from `least` on. */
  names?: readonly string[];
  /** Days with a step count as chosen days: either day field is then enough. */
  isDay?: true;
}

const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31, isDay: true },
  { name: 'month', least: 1, most: 12, names: MONTHS },
  { name: 'day of the week', least: 0, most: 6, names: DAYS, isDay: true },
];

const EVERY = '@every ';
const PREFIX = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/s;

/** The schedule of a CronJob. Throws `Unmapped` for what Kubernetes itself does not take. */
export function scheduleOf(text: string, { timeZone, defaultZone }: ScheduleOptions): Timing {
  if (text.includes('${') || text.includes('{{'))
    throw new Unmapped(`spec.schedule is a template, ${JSON.stringify(text)}: put in its value first`);
  const [, prefix, rest] = PREFIX.exec(text.trim()) ?? [];
  if (prefix !== undefined && timeZone !== undefined)
    throw new Unmapped(`spec.schedule has the zone ${prefix} beside spec.timeZone: leave one of them out`);
  const expression = (rest ?? text).trim();
  const zone = timeZone ?? prefix ?? defaultZone ?? 'UTC';
  const notes = [
    ...(prefix === undefined
      ? []
      : [`TZ=${prefix} of the schedule is its zone; Kubernetes takes it no more since 1.29`]),
    ...(timeZone === undefined &&
    prefix === undefined &&
    defaultZone === undefined &&
    !expression.startsWith(EVERY)
      ? [
          'it has no timeZone, so its times are those of the cluster’s controller: taken as UTC; see --timezone',
        ]
      : []),
  ];
  if (expression.startsWith(EVERY)) {
    if (timeZone !== undefined) notes.push(`timeZone ${timeZone} is left out: @every has no times of a zone`);
    return everyOf(expression.slice(EVERY.length), notes);
  }
  return {
    schedule: {
      type: 'cron',
      expression: CRON_MACROS.has(expression) ? expression : expressionOf(expression),
      // Kubernetes skips local times that a clock change leaves out, and runs those twice that it repeats.
      ...(isUtc(zone) ? {} : { timezone: zone, dst: { gap: 'skip', overlap: 'both' } }),
    },
    notes,
  };
}

const isUtc = (zone: string): boolean => zone === 'UTC' || zone === 'Etc/UTC';
function expressionOf(text: string): string {
  const fields = text.split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new Unmapped(
      `spec.schedule is ${JSON.stringify(text)}; expected five fields, or @hourly and its like`,
    );
  return fields.map((field, index) => fieldOf(field, FIELDS[index]!)).join(' ');
}

function fieldOf(text: string, field: Field): string {
  const parts = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => partOf(part, field));
  if (parts.length === 0) throw badField(text, field);
  return parts.includes('*') ? '*' : parts.join(',');
}

const PART = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/;

/** A part of a field in the words of the API: the same times, and a star only where it chooses nothing. */
function partOf(text: string, field: Field): string {
  const [, star, first, last, stepText] = PART.exec(text) ?? [];
  if (star === undefined && first === undefined) throw badField(text, field);
  const from = first === undefined ? field.least : valueOf(first, field);
  const end = last === undefined ? (stepText === undefined ? from : field.most) : valueOf(last, field);
  const to = star === undefined ? end : field.most;
  const step = Number(stepText ?? 1);
  if (step === 0 || !(from <= to)) throw badField(text, field);
  if (star !== undefined && step === 1) return '*';
  if (star === undefined && stepText === undefined) return text.toUpperCase();
  if (step > to - from) return String(from);
  if (star !== undefined && !field.isDay) return `*/${step}`;
  return `${from}-${to}${step === 1 ? '' : `/${step}`}`;
}

function valueOf(text: string, { least, most, names }: Field): number {
  const index = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = index < 0 ? (/^\d+$/.test(text) ? Number(text) : NaN) : least + index;
  return value >= least && value <= most ? value : NaN; // which is in no range
}

const badField = (text: string, { name, least, most }: Field): Unmapped =>
  new Unmapped(
    `spec.schedule has ${JSON.stringify(text)} as ${name}, which Kubernetes does not take; its values are ${least} to ${most}`,
  );

const DURATION = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const SECONDS: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** `@every 1h30m`: whole seconds, one at least. */
function everyOf(text: string, notes: string[]): Timing {
  if (!DURATION.test(text.trim()))
    throw new Unmapped(`spec.schedule is @every ${JSON.stringify(text)}; expected a duration such as 1h30m`);
  const parts = [...text.matchAll(/([\d.]+)(\D+)/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!.trim()]!, 0);
  return {
    schedule: { type: 'interval', every: `${Math.max(1, Math.floor(seconds + 1e-9))}s` },
    notes: [...notes, '@every counts from when the job is created here'],
  };
}
