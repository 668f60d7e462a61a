import type { CronField } from './cron-field';
import {
  AWS_DAY_OF_WEEK,
  DAY_OF_MONTH,
  DAY_OF_WEEK,
  HOUR,
  itemsOf,
  MINUTE,
  MONTH,
  SECOND,
  valuesOfItem,
} from './cron-field';

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
