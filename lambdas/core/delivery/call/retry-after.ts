import { SECOND_MS } from '../../clock/clock';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const LONG_DAY = `(?:${DAYS.join('|')})`;
const SHORT_DAY = `(?:${DAYS.map((day) => day.slice(0, 3)).join('|')})`;
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;

/** The formats of dates in HTTP (RFC 9110, section 5.6.7): IMF-fixdate, that of RFC 850, and asctime. */
const HTTP_DATES = [
  String.raw`${SHORT_DAY}, (?<day>\d{2}) ${MONTH} (?<year>\d{4}) ${TIME} GMT`,
  String.raw`${LONG_DAY}, (?<day>\d{2})-${MONTH}-(?<year>\d{2}) ${TIME} GMT`,
  String.raw`${SHORT_DAY} ${MONTH} (?<day>\d{2}| \d) ${TIME} (?<year>\d{4})`,
].map((format) => new RegExp(`^${format}$`));

/**
 * `Retry-After` in seconds or as a date, in milliseconds. Undefined if it is absent, malformed or in the
 * past. It is not bounded: the retry policy does that.
 */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : (httpDateMsOf(text, nowMs) ?? 0) - nowMs;
  return waitMs > 0 ? waitMs : undefined;
}

/** `Date.parse` is not for this: it accepts almost any text. */
function httpDateMsOf(text: string, nowMs: number): number | undefined {
  const parts = HTTP_DATES.map((format) => format.exec(text)).find((match) => match !== null)?.groups;
  if (!parts) return undefined;
  const month = MONTHS.indexOf(parts['month']!);
  const [day, hour, minute, second] = (['day', 'hour', 'minute', 'second'] as const).map((part) =>
    Number(parts[part]),
  ) as [number, number, number, number];
  const inYear = (year: number): number => Date.UTC(year, month, day, hour, minute, second);
  const year = yearOf(parts['year']!, inYear, nowMs);
  const isDay = new Date(Date.UTC(year, month, day)).getUTCDate() === day; // not 31 February
  return isDay ? inYear(year) : undefined;
}

/** Two digits mean the last such year that is at most 50 years in the future. */
function yearOf(digits: string, inYear: (year: number) => number, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const now = new Date(nowMs);
  const latestMs = now.setUTCFullYear(now.getUTCFullYear() + 50);
  const century = Math.floor(now.getUTCFullYear() / 100) * 100;
  const year = century + Number(digits);
  return inYear(year) > latestMs ? year - 100 : year;
}
