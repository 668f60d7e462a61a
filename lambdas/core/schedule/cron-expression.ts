import type { DayRule } from './cron-day-rule';
import { parseDayRule } from './cron-day-rule';
import type { CronField } from './cron-field';
import { AWS_DAY_OF_WEEK, DAY_OF_WEEK, HOUR, MINUTE, MONTH, SECOND, YEAR, valuesOf } from './cron-field';
import { closeZone, zoneInText } from './time-zone';
import { ParseError, quoted } from './schedule-error';
import { ValueSet } from './value-set';
import { canonicalZoneName } from './zone-names';

/** A parsed cron expression: the wall times that it means. */
export interface CronExpression {
  readonly seconds: ValueSet;
  readonly minutes: ValueSet;
  readonly hours: ValueSet;
  readonly months: ValueSet;
  readonly days: DayRule;
  /** Absent: any year. */
  readonly years?: ValueSet;
  /**
   * Minute or hour begins with `*`: it keeps its real spacing over clock changes. If not, its times are
   * fixed.
   */
  readonly interval: boolean;
  /** Six or seven fields: the second is chosen, not 0 by default. */
  readonly hasSeconds: boolean;
}

const MAX_EXPRESSION_LENGTH = 256;

const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

interface FieldTexts {
  second?: string;
  minute: string;
  hour: string;
  monthDay: string;
  month: string;
  weekday: string;
  year?: string;
}

/** Parsed expressions by their text: thousands of jobs share the same few expressions. */
const cache = new Map<string, CronExpression>();
const MAX_CACHED = 1_000;

/** Five fields, six with seconds first, seven with a year last, or a macro. Throws `ParseError`. */
export function parseCronExpression(text: string): CronExpression {
  let cron = cache.get(text);
  if (!cron) {
    cron = readCronExpression(text);
    if (cache.size === MAX_CACHED) cache.clear();
    cache.set(text, cron);
  }
  return cron;
}

function readCronExpression(text: string): CronExpression {
  refuseZone(text);
  const fields = fieldsOf(expandMacro(text));
  if (fields.length < 5 || fields.length > 7) {
    throw new ParseError(
      `${quoted(text)} has ${fields.length} field${fields.length === 1 ? '' : 's'}; 5 to 7 are needed: 5 (minute hour day-of-month month day-of-week), 6 (second first) or 7 (year last)`,
    );
  }
  const [second, minute, hour, monthDay, month, weekday, year] =
    fields.length === 5 ? [undefined, ...fields] : fields;
  return read(
    { second, minute: minute!, hour: hour!, monthDay: monthDay!, month: month!, weekday: weekday!, year },
    DAY_OF_WEEK,
  );
}

/** Throws `ParseError` for an expression with a time zone in it, as some libraries and crontabs write it. */
function refuseZone(text: string): void {
  const found = zoneInText(text);
  if (found === undefined) return;
  const close = canonicalZoneName(found.zone) ?? closeZone(found.zone);
  throw new ParseError(
    `${quoted(text)} has a time zone in it: leave out ${quoted(found.text)}, and set timezone${
      close === undefined ? ' to an IANA name such as "Europe/Berlin"' : ` to ${quoted(close)}`
    }`,
  );
}

/** The text inside AWS's `cron(…)`: minute hour day-of-month month day-of-week year. Throws `ParseError`. */
export function parseAwsCronExpression(text: string): CronExpression {
  const fields = fieldsOf(text);
  if (fields.length !== 6) {
    throw new ParseError(
      `${quoted(text)} has ${fields.length} fields; cron(…) takes 6 (minute hour day-of-month month day-of-week year)`,
    );
  }
  const [minute, hour, monthDay, month, weekday, year] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if ((monthDay === '?') === (weekday === '?')) {
    throw new ParseError(
      `${quoted(text)}: exactly one of day-of-month and day-of-week must be ? in cron(…), here they are ${quoted(monthDay)} and ${quoted(weekday)}`,
    );
  }
  return read({ minute, hour, monthDay, month, weekday, year }, AWS_DAY_OF_WEEK);
}

/** The macro's five fields, or the text itself. */
export function expandMacro(text: string): string {
  const trimmed = trimBlanks(text);
  if (!trimmed.startsWith('@')) return text;
  const expanded = MACROS[trimmed.toLowerCase()];
  if (expanded) return expanded;
  throw new ParseError(`${quoted(text)} is not a macro; known are ${Object.keys(MACROS).join(', ')}`);
}

/** Blanks are spaces and tabs: an expression is one line. */
const trimBlanks = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

function fieldsOf(text: string): string[] {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new ParseError(
      `${quoted(text)} is ${text.length} characters long, at most ${MAX_EXPRESSION_LENGTH} are allowed`,
    );
  }
  const foreign = /[^A-Za-z0-9*?,/#\- \t]/u.exec(text);
  if (foreign) {
    throw new ParseError(
      `${quoted(text)} has the character ${quoted(foreign[0])}; allowed are letters, digits, blanks and * ? , - / #`,
    );
  }
  return trimBlanks(text)
    .split(/[ \t]+/)
    .filter((part) => part !== '');
}

function read(texts: FieldTexts, weekdayField: CronField): CronExpression {
  const setOf = (text: string, cronField: CronField) =>
    new ValueSet(valuesOf(text, cronField), cronField.min, cronField.max);
  return {
    seconds: setOf(texts.second ?? '0', SECOND),
    minutes: setOf(texts.minute, MINUTE),
    hours: setOf(texts.hour, HOUR),
    months: setOf(texts.month, MONTH),
    days: parseDayRule(texts.monthDay, texts.weekday, weekdayField),
    years: texts.year === undefined || texts.year === '*' ? undefined : setOf(texts.year, YEAR),
    interval: texts.minute.startsWith('*') || texts.hour.startsWith('*'),
    hasSeconds: texts.second !== undefined,
  };
}
