import { IcsError } from './ics-error';
import type { RecurrenceRule, Weekday } from './recurrence-rule';
import { DAY_MS, SECOND_MS } from './values';

/** How many days and times a file may make the reader count. */
export class StepBudget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  /** Throws an `IcsError` at the line that used the budget up. */
  spend(line: number, steps = 1): void {
    this.left -= steps;
    if (this.left < 0)
      throw new IcsError('takes too many steps: the rules of the file go on for too long', line);
  }
}

/** A date, and what rules ask of it. */
interface Day {
  /** Days since 1970. */
  number: number;
  year: number;
  month: number;
  day: number;
}

interface Times {
  /** The first one, which sets what the rule does not say. */
  firstMs: number;
  /** Earlier ones may be left out. */
  fromMs: number;
  /** Exclusive. */
  endMs: number;
}

/**
 * When a rule recurs, in local time and in order, as RFC 5545 counts. Each day of a period is asked whether
 * the rule names it, and BYSETPOS picks among the times of the period. A first time that the rule does not
 * name is no occurrence.
 */
export function* occurrences(
  rule: RecurrenceRule,
  { firstMs, fromMs, endMs }: Times,
  budget: StepBudget,
): Generator<number> {
  const first = dayOf(Math.floor(firstMs / DAY_MS));
  const times = timesOfDay(rule, firstMs - first.number * DAY_MS);
  const matches = matcher(rule, first);
  // Occurrences are counted from the first one on: nothing of them can be left out.
  const from = rule.count === undefined ? Math.max(firstMs, fromMs) : firstMs;
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  for (const days of periods(rule, { first, from: Math.floor(from / DAY_MS), endMs }, budget)) {
    const named = days.filter(matches);
    budget.spend(rule.line, named.length * times.length);
    const all = named.flatMap(({ number }) => times.map((timeMs) => number * DAY_MS + timeMs));
    for (const atMs of rule.positions ? picked(all, rule.positions) : all) {
      if (atMs < firstMs) continue;
      if (atMs >= endMs || left-- === 0) return;
      yield atMs;
    }
  }
}

/** The days of each period of the rule, from the one with `from` on. */
function* periods(
  { frequency, interval, weekStart, line }: RecurrenceRule,
  { first, from, endMs }: { first: Day; from: number; endMs: number },
  budget: StepBudget,
): Generator<Day[]> {
  const startOf = {
    DAILY: ({ number }: Day) => number,
    WEEKLY: ({ number }: Day) => startOfWeek(number, weekStart),
    MONTHLY: ({ year, month }: Day) => dayNumber(year, month, 1),
    YEARLY: ({ year }: Day) => dayNumber(year, 1, 1),
  }[frequency];
  const indexOf = {
    DAILY: ({ number }: Day) => number - first.number,
    WEEKLY: ({ number }: Day) => (startOfWeek(number, weekStart) - startOfWeek(first.number, weekStart)) / 7,
    MONTHLY: ({ year, month }: Day) => (year - first.year) * 12 + month - first.month,
    YEARLY: ({ year }: Day) => year - first.year,
  }[frequency];
  let days: Day[] = [];
  let present = -1;
  for (let number = startOf(dayOf(from)); ; number++) {
    budget.spend(line);
    const day = dayOf(number);
    const index = indexOf(day);
    if (index !== present) {
      if (days.length > 0) yield days;
      if (number * DAY_MS >= endMs) return;
      days = [];
      present = index;
    }
    if (index % interval === 0) days.push(day);
  }
}

/** What BYSETPOS picks, in order. */
const picked = (all: readonly number[], positions: readonly number[]): number[] =>
  all.filter((_, index) => positions.includes(index + 1) || positions.includes(index - all.length));

function timesOfDay({ hours, minutes, seconds }: RecurrenceRule, firstMs: number): number[] {
  const firstSec = Math.floor(firstMs / SECOND_MS);
  const all = (hours ?? [Math.floor(firstSec / 3600)]).flatMap((hour) =>
    (minutes ?? [Math.floor(firstSec / 60) % 60]).flatMap((minute) =>
      (seconds ?? [firstSec % 60]).map((second) => (hour * 3600 + minute * 60 + second) * SECOND_MS),
    ),
  );
  return all.sort((a, b) => a - b);
}

/** Whether a rule names a day. What it does not say is as on the first day. */
function matcher(rule: RecurrenceRule, first: Day): (day: Day) => boolean {
  const { frequency, months, weeks, yearDays, monthDays, weekdays, weekStart } = rule;
  const saysDay = (yearDays ?? monthDays ?? weekdays) !== undefined;
  const tests: ((day: Day) => boolean)[] = [];
  if (months) tests.push(({ month }) => months.includes(month));
  else if (frequency === 'YEARLY' && !saysDay && !weeks) tests.push(({ month }) => month === first.month);
  if (weeks) tests.push((day) => weeks.some((week) => isWeek(week, day, weekStart)));
  if (yearDays) tests.push((day) => includesFromEnd(yearDays, dayOfYear(day), daysInYear(day.year)));
  if (monthDays) tests.push((day) => includesFromEnd(monthDays, day.day, daysInMonth(day)));
  if (weekdays) {
    const isInMonth = frequency === 'MONTHLY' || months !== undefined;
    tests.push((day) => weekdays.some((one) => isWeekday(one, day, isInMonth)));
  }
  if (!saysDay) {
    const isByWeek = frequency === 'WEEKLY' || weeks !== undefined;
    if (isByWeek) tests.push((day) => weekdayOf(day) === weekdayOf(first));
    else if (frequency !== 'DAILY') tests.push(({ day }) => day === first.day);
  }
  return (day) => tests.every((test) => test(day));
}

const includesFromEnd = (numbers: readonly number[], position: number, length: number): boolean =>
  numbers.includes(position) || numbers.includes(position - length - 1);

function isWeekday({ weekday, nth }: Weekday, day: Day, isInMonth: boolean): boolean {
  if (weekdayOf(day) !== weekday) return false;
  if (nth === undefined) return true;
  const position = isInMonth ? day.day : dayOfYear(day);
  const length = isInMonth ? daysInMonth(day) : daysInYear(day.year);
  return nth > 0 ? Math.ceil(position / 7) === nth : Math.ceil((length - position + 1) / 7) === -nth;
}

/** Week 1 is the first one with four days in the year. Its first days may be of the year before. */
function isWeek(week: number, { number, year }: Day, weekStart: number): boolean {
  const weekYear =
    number >= firstWeek(year + 1, weekStart)
      ? year + 1
      : number >= firstWeek(year, weekStart)
        ? year
        : year - 1;
  const start = firstWeek(weekYear, weekStart);
  const index = Math.floor((number - start) / 7);
  return index === (week > 0 ? week - 1 : (firstWeek(weekYear + 1, weekStart) - start) / 7 + week);
}

function firstWeek(year: number, weekStart: number): number {
  const fourth = dayNumber(year, 1, 4);
  return startOfWeek(fourth, weekStart);
}

const startOfWeek = (number: number, weekStart: number): number =>
  number - ((number + 4 - weekStart + 700_000_007) % 7);
const weekdayOf = ({ number }: Day): number => (number + 4 + 700_000_000) % 7;
const dayOfYear = ({ number, year }: Day): number => number - dayNumber(year, 1, 1) + 1;
const daysInYear = (year: number): number => dayNumber(year + 1, 1, 1) - dayNumber(year, 1, 1);
const daysInMonth = ({ year, month }: Day): number =>
  dayNumber(year, month + 1, 1) - dayNumber(year, month, 1);

function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / DAY_MS;
}

function dayOf(number: number): Day {
  const date = new Date(number * DAY_MS);
  return { number, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
