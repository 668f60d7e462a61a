import type { CalendarContent } from '../../../../../lambdas/core/schedule/calendar';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** A local time as `2026-12-25T09:00`, which sorts. */
type Local = string;

export const localOf = (ms: number): Local => new Date(ms).toISOString().slice(0, 16);

/** Whether a calendar has a local time of its own zone: by its text alone, without any arithmetic on days. */
export function has({ weekdays, dates, yearly }: CalendarContent, local: Local): boolean {
  const date = local.slice(0, 10);
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()];
  if (weekdays.some((one) => one === weekday) || yearly.includes(date.slice(5))) return true;
  return dates.some((one) => {
    if (typeof one === 'string') return one === date;
    return one.from.length === 10 ? one.from <= date && date <= one.to : one.from <= local && local < one.to;
  });
}

/** Which calendars a schedule in UTC names. */
export interface NaiveRules {
  exclude: readonly CalendarContent[];
  only: readonly CalendarContent[];
}

export const isExcluded = ({ exclude, only }: NaiveRules, ms: number): boolean =>
  exclude.some((one) => has(one, localOf(ms))) ||
  (only.length > 0 && !only.some((one) => has(one, localOf(ms))));

/** Where an occurrence in UTC goes: day by day, at most 31. */
export function moved(rules: NaiveRules, ms: number, stepDays: 1 | -1): number | undefined {
  for (let days = 0; days <= 31; days++) {
    const at = ms + days * stepDays * DAY_MS;
    if (!isExcluded(rules, at)) return at;
  }
  return undefined;
}
