import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import { ParseError, quoted } from './schedule-error';

/** The text is not a duration. The message quotes it and names the allowed forms. */
export class DurationError extends ParseError {
  override readonly name = 'DurationError';
}

/** Elapsed time, or whole calendar months if the text counts in months or years. */
export type Period = { ms: number } | { months: number };

/** 100 years: longer than any sensible setting, and far below where sums lose precision. */
const MAX_DURATION_MS = 36_525 * DAY_MS;
const MAX_MONTHS = 1_200;

const SHORT_UNITS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS];
const SHORT_UNITS = ['d', 'h', 'm', 's'];
/** Largest unit first, each at most once. */
const SHORT = /^(?=\d)(?:(\d{1,12})d)?(?:(\d{1,12})h)?(?:(\d{1,12})m)?(?:(\d{1,12})s)?$/;
const ISO =
  /^P(?=\d|T\d)(?:(\d{1,12})Y)?(?:(\d{1,12})M)?(?:(\d{1,12})W)?(?:(\d{1,12})D)?(?:T(?=\d)(?:(\d{1,12})H)?(?:(\d{1,12})M)?(?:(\d{1,12})S)?)?$/;

/**
 * `30s`, `10m`, `36h`, `7d`, `1h30m`, or ISO 8601 (`PT30S`, `P1DT12H`, `P2W`), in milliseconds: 0 to 100
 * years. Days are 24 h, and numbers are whole. Throws `DurationError`, also for months and years: they have
 * no fixed length.
 */
export function parseDuration(text: string): number {
  const period = parsePeriod(text);
  if ('ms' in period) return period.ms;
  throw new DurationError(
    `${quoted(text)} counts in months or years, which have no fixed length here; use days`,
  );
}

/** A duration as a text that may have milliseconds below a second: `340ms`, `1h2m3s`. */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  let left = ms;
  const parts = SHORT_UNITS_MS.map((unitMs, index) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? '' : `${count}${SHORT_UNITS[index]}`;
  });
  return parts.join('');
}

/** Like `parseDuration`, but allows months and years (`P1M`, `P1Y6M`), if not mixed with shorter units. */
export function parsePeriod(text: string): Period {
  const short = SHORT.exec(text);
  if (short) {
    const parts = SHORT_UNITS_MS.map((unitMs, index) => Number(short[index + 1] ?? 0) * unitMs);
    return elapsed(
      text,
      parts.reduce((sum, ms) => sum + ms, 0),
    );
  }
  const iso = ISO.exec(text);
  if (!iso) {
    throw new DurationError(
      `${quoted(text)} is not a duration: write whole numbers with d, h, m or s ("30s", "1h30m"), or ISO 8601 ("PT30S")`,
    );
  }
  const [years, months, weeks, days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
  const calendar = years! * 12 + months!;
  const ms = (weeks! * 7 + days!) * DAY_MS + hours! * HOUR_MS + minutes! * MINUTE_MS + seconds! * SECOND_MS;
  if (calendar === 0) return elapsed(text, ms);
  if (ms > 0)
    throw new DurationError(`${quoted(text)} mixes months or years with shorter units; use one kind`);
  if (calendar > MAX_MONTHS) throw tooLong(text);
  return { months: calendar };
}

function elapsed(text: string, ms: number): Period {
  if (ms > MAX_DURATION_MS) throw tooLong(text);
  return { ms };
}

const tooLong = (text: string): DurationError =>
  new DurationError(`${quoted(text)} is too long: at most 100 years (36525d)`);
