import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import { parseAwsExpression } from './aws-expression';
import { meansEveryDay } from './cron-day-rule';
import { expandMacro, parseCronExpression } from './cron-expression';
import {
  AWS_DAY_OF_WEEK,
  type CronField,
  DAY_OF_MONTH,
  DAY_OF_WEEK,
  HOUR,
  itemsOf,
  MINUTE,
  MONTH,
  SECOND,
  valuesOfItem,
} from './cron-field';
import { cronWords } from './cron-words';
import { parsePeriod, type Period } from './duration';
import { specInWords } from './schedule-words';
import type {
  AfterSpec,
  CalendarRef,
  CronSpec,
  EventSpec,
  IntervalSpec,
  RecurringSpec,
  ScheduleSpec,
} from './spec';
import { parseTimeZone } from './time-zone';

/** A schedule that `parseSchedule` accepts, in plain words. */
export function describe(spec: ScheduleSpec): string {
  if (typeof spec === 'string') {
    const words = specInWords(spec);
    return words ? describe(words) : describeAws(spec);
  }
  switch (spec.type) {
    case 'cron':
      return [describeCron(spec), ...describeLimits(spec)].join(', ');
    case 'interval':
      return [describeInterval(spec), ...describeLimits(spec)].join(', ');
    case 'at':
      return `Once at ${spec.at}${spec.timezone === undefined ? '' : inZone(spec.timezone)}`;
    case 'delay':
      return `Once, ${lengthInWords(parsePeriod(spec.delay))} after the schedule was set`;
    case 'none':
      return 'Never by itself: something else starts it';
    case 'after':
      return describeAfter(spec);
    case 'event':
      return describeEvent(spec);
  }
}

const END_IN_WORDS = { succeeded: 'succeeds', failed: 'fails', done: 'ends' } as const;

const describeAfter = ({ jobs, on = 'succeeded' }: AfterSpec): string =>
  `Whenever an execution of ${jobs.join(' or ')} ${END_IN_WORDS[on]}`;

function describeEvent({ name, where = {}, debounce }: EventSpec): string {
  const conditions = Object.entries(where).map(([field, value]) => `${field} is ${JSON.stringify(value)}`);
  const words = [`At each event ${name}`];
  if (conditions.length > 0) words.push(`if ${conditions.join(' and ')}`);
  if (debounce !== undefined)
    words.push(`${lengthInWords(parsePeriod(debounce))} after the last one with the same key`);
  return words.join(', ');
}

function describeAws(text: string): string {
  const aws = parseAwsExpression(text);
  switch (aws.kind) {
    case 'rate':
      return `${everyInWords({ ms: aws.everyMs })}, counted from when the schedule was set`;
    case 'at':
      return `Once at ${aws.local}${inZone('UTC')}`;
    case 'cron':
      return `${expressionInWords(`0 ${aws.text.trim()}`, 1)}${inBrackets(awsStepNotes(aws.text.trim()))}${inZone('UTC')}`;
  }
}

function describeCron({ expression, timezone = 'UTC' }: CronSpec): string {
  const text = expandMacro(expression).trim();
  const notes = stepNotes(text);
  const { days, hasSeconds } = parseCronExpression(expression);
  if (days.either && !meansEveryDay(days)) notes.push('either day is enough');
  if (hasSeconds && hasNumberedWeekday(text))
    notes.push('weekdays count from Sunday = 0, not from 1 as in Quartz');
  return `${expressionInWords(text, 0)}${inBrackets(notes)}${inZone(timezone)}`;
}

/** With a second, an expression may be written for Quartz, whose numbers of weekdays differ. */
const hasNumberedWeekday = (text: string): boolean => /(?:^|[,-])\d/.test(text.split(/[ \t]+/)[5]!);

const inBrackets = (notes: readonly string[]): string => notes.map((note) => ` (${note})`).join('');

/** A list with `L-3` or `15W` in it has no words. Names of days, which contain W too, are taken out first. */
function expressionInWords(expression: string, firstWeekday: 0 | 1): string {
  const hasNoWords = /(?:W|L-)\S*,|,\S*(?:W|L-)/i.test(expression.replace(/[A-Za-z]{3}/g, ''));
  return hasNoWords ? `At the times of ${JSON.stringify(expression)}` : cronWords(expression, firstWeekday);
}

const inZone = (name: string): string => ` (${parseTimeZone(name).name})`;

function describeClockChanges(spec: RecurringSpec): string[] {
  const { dst } = spec;
  if (!dst || keepsSpacing(spec)) return [];
  const words: string[] = [];
  if (dst.gap === 'shift') words.push('at the first instant after a gap where clocks skip it');
  if (dst.gap === 'skip') words.push('not at all where clocks skip it');
  if (dst.overlap === 'both') words.push('both times where clocks repeat it');
  else if (dst.overlap) words.push(`the ${dst.overlap} time where clocks repeat it`);
  return words;
}

const keepsSpacing = (spec: RecurringSpec): boolean =>
  spec.type === 'cron' ? parseCronExpression(spec.expression).interval : 'ms' in parsePeriod(spec.every);

function describeInterval({ every, anchor, timezone }: IntervalSpec): string {
  const from = anchor === undefined ? 'when the schedule was set' : anchor;
  return `${everyInWords(parsePeriod(every))}, counted from ${from}${timezone === undefined ? '' : inZone(timezone)}`;
}

function describeLimits(spec: RecurringSpec): string[] {
  const { startAt, endAt, maxRuns, jitter, exclude, only, onExcluded = 'skip' } = spec;
  const words = describeClockChanges(spec);
  if (startAt !== undefined) words.push(`from ${startAt}`);
  if (endAt !== undefined) words.push(`until just before ${endAt}`);
  if (maxRuns !== undefined) words.push(maxRuns === 1 ? 'once only' : `at most ${maxRuns} times`);
  if (exclude?.length) words.push(`except ${exclude.map(exclusionInWords).join('; ')}`);
  if (only?.length) words.push(`only in ${only.map(exclusionInWords).join(' or ')}`);
  if (onExcluded !== 'skip')
    words.push(`moved to the ${onExcluded === 'next-day' ? 'next' : 'previous'} day that is not excluded`);
  if (jitter !== undefined)
    words.push(`always later by the same part of ${lengthInWords(parsePeriod(jitter))}`);
  return words;
}

const exclusionInWords = (one: string | CalendarRef): string =>
  typeof one === 'string' ? one : `the calendar ${one.calendar}`;

const UNITS: readonly [ms: number, name: string][] = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
];

function amountOf(period: Period): [value: number, unit: string] {
  if ('months' in period) {
    return period.months % 12 === 0 ? [period.months / 12, 'year'] : [period.months, 'month'];
  }
  const [ms, unit] = UNITS.find(([unitMs]) => period.ms % unitMs === 0)!;
  return [period.ms / ms, unit];
}

function everyInWords(period: Period): string {
  const [value, unit] = amountOf(period);
  return value === 1 ? `Every ${unit}` : `Every ${value} ${unit}s`;
}

function lengthInWords(period: Period): string {
  const [value, unit] = amountOf(period);
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

interface Restart {
  /** The period at whose start the step begins again. */
  each: string;
  /** Where it begins again: `at minute 0`. */
  at(value: number): string;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const RESTARTS = new Map<CronField, Restart>([
  [SECOND, { each: 'minute', at: (second) => `at second ${second}` }],
  [MINUTE, { each: 'hour', at: (minute) => `at minute ${minute}` }],
  [HOUR, { each: 'day', at: (hour) => `at hour ${hour}` }],
  [DAY_OF_MONTH, { each: 'month', at: (day) => `on day ${day}` }],
  [MONTH, { each: 'year', at: (month) => `in month ${month}` }],
  [DAY_OF_WEEK, { each: 'week', at: (day) => `on ${WEEKDAYS[day % 7]}` }],
  [AWS_DAY_OF_WEEK, { each: 'week', at: (day) => `on ${WEEKDAYS[day - 1]}` }],
]);

const STANDARD = [SECOND, MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];
const AWS = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, AWS_DAY_OF_WEEK];
const STEP = /^([^/]+)\/(\d+)$/;

/**
 * One note for each step that does not divide its field's range: `*\/7` minutes means 56, then 0. Such a
 * step is not an even spacing, although its words are "Every 7 minutes".
 *
 * @param expression a valid expression without a macro: five to seven fields
 */
export function stepNotes(expression: string): string[] {
  const texts = expression.split(/[ \t]+/);
  return notesOf(texts.length === 5 ? STANDARD.slice(1) : STANDARD, texts);
}

/** The notes on steps of the text inside AWS's `cron(…)`. */
export const awsStepNotes = (expression: string): string[] => notesOf(AWS, expression.split(/[ \t]+/));

const notesOf = (fields: readonly CronField[], texts: readonly string[]): string[] =>
  fields.flatMap((field, index) =>
    itemsOf(texts[index]!, field)
      .filter((item) => isUneven(item, field))
      .map((item) => {
        const { each, at } = RESTARTS.get(field)!;
        return `the step restarts each ${each}, ${at(valuesOfItem(item, field)[0]!)}`;
      }),
  );

/**
 * Whether the step ends at the end of the field, and does not divide it. A range such as `0-23/5` may mean
 * the same as `*\/5`. Months differ in length, so no step of days is even.
 */
function isUneven(item: string, field: CronField): boolean {
  const [, base = '', text = '1'] = STEP.exec(item) ?? [];
  const step = Number(text);
  if (step === 1) return false;
  const all = valuesOfItem(item, field);
  if (all.length === 1) return false;
  const isBounded = base.includes('-') && (all[0]! - step >= field.min || all.at(-1)! + step <= field.max);
  if (isBounded || all.at(-1)! < all[0]!) return false;
  const values = new Set(all.map((value) => value % periodOf(field)));
  return field === DAY_OF_MONTH || values.size * step !== field.count;
}

/** Two values of this distance are the same: Sunday is 0 and 7. Infinity if no two are. */
const periodOf = (field: CronField): number => (field === DAY_OF_WEEK ? field.count : Infinity);
