import type { Load } from '../../client';
import { plural } from '../terminal/plural';
import type { Style } from '../terminal/style';
import { table } from '../terminal/table';

export const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1_440;
const HOUR = 60;
/** `Tue 12-01 08:00  ` before each line. */
const LABEL = 17;
/** Minutes of one place, so that an hour always has a whole number of them. */
const FOLDS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60];
const SHADES = ['·', '░', '▒', '▓', '█'];
const BUSIEST = 5;

/** Planned occurrences as a map, and the busiest minutes. A line is an hour in UTC, folded to the width. */
export function loadMap({ from, counts, jobs }: Load, columns: number, style: Style): string {
  const sum = counts.reduce((all, count) => all + count, 0);
  const total = `${plural(sum, 'occurrence')} of ${plural(jobs, 'job')} planned.\n`;
  if (sum === 0) return total;
  const fromMinute = Date.parse(from) / MINUTE_MS;
  const fold = FOLDS.find((minutes) => HOUR / minutes + LABEL <= columns) ?? HOUR;
  const lines = hoursOf(fromMinute, counts).map(({ minute, counts: ofHour }) => ({
    label: `${weekdayOf(minute)} ${textOf(minute).slice(5)}`,
    places: folded(ofHour, fold),
  }));
  const most = Math.max(...lines.flatMap(({ places }) => places.map((count) => count ?? 0)));
  const shadeOf = (count: number | undefined) =>
    count === undefined ? ' ' : SHADES[Math.ceil(((SHADES.length - 1) * count) / most)]!;
  const map = lines.map(({ label, places }) =>
    `${style.dim(label)}  ${places.map(shadeOf).join('')}`.trimEnd(),
  );
  const unit = fold === 1 ? 'minute' : `${fold} minutes`;
  const key = `${SHADES[0]} none, ${SHADES.at(-1)} ${most} in ${fold === 1 ? 'a ' : ''}${unit}`;
  return `${map.join('\n')}\n\n${total}${style.dim(key)}\n\n${busiest(fromMinute, counts)}`;
}

/** `2026-12-01 08:00` */
const textOf = (minute: number): string =>
  new Date(minute * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ');

/** `Tue`, in UTC. */
const weekdayOf = (minute: number): string => new Date(minute * MINUTE_MS).toUTCString().slice(0, 3);

interface Hour {
  /** Its first minute, since the epoch. */
  minute: number;
  /** 60, undefined where a minute is outside of the range. */
  counts: (number | undefined)[];
}

function hoursOf(fromMinute: number, counts: readonly number[]): Hour[] {
  const hours: Hour[] = [];
  const untilMinute = fromMinute + counts.length;
  for (let minute = Math.floor(fromMinute / HOUR) * HOUR; minute < untilMinute; minute += HOUR)
    hours.push({ minute, counts: Array.from({ length: HOUR }, (_, at) => counts[minute + at - fromMinute]) });
  return hours;
}

/** The sum of each so many neighbours; undefined where all of them are. */
function folded(counts: readonly (number | undefined)[], by: number): (number | undefined)[] {
  return Array.from({ length: counts.length / by }, (_, place) => {
    const part = counts.slice(place * by, (place + 1) * by).filter((count) => count !== undefined);
    return part.length === 0 ? undefined : part.reduce((sum, count) => sum + count, 0);
  });
}

function busiest(fromMinute: number, counts: readonly number[]): string {
  const minutes = counts
    .map((count, at) => ({ count, minute: fromMinute + at }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.minute - b.minute)
    .slice(0, BUSIEST);
  const rows = minutes.map(({ count, minute }) => [`${weekdayOf(minute)} ${textOf(minute)}`, String(count)]);
  return table(['BUSIEST (UTC)', 'PLANNED'], rows);
}

/** A minute of the day, with what is planned there on all days of the range. */
export interface Quietest {
  /** `09:07` */
  at: string;
  count: number;
  /** What is planned at the minute that was asked for; undefined if it is outside of the range. */
  countThere?: number;
}

/**
 * The minute of the day with the fewest planned occurrences, at most `within` minutes from another one. Of
 * several, the nearest; of two as near, the earlier. Undefined if none of them lies in the range.
 */
export function quietestNear(
  { from, counts }: Pick<Load, 'from' | 'counts'>,
  minuteOfDay: number,
  within: number,
): Quietest | undefined {
  const first = Date.parse(from) / MINUTE_MS;
  const ofDay = new Map<number, number>();
  for (const [at, count] of counts.entries()) {
    const minute = (first + at) % MINUTES_PER_DAY;
    ofDay.set(minute, (ofDay.get(minute) ?? 0) + count);
  }
  const near = Array.from({ length: 2 * within + 1 }, (_, at) => at - within)
    .map((distance) => ({
      distance: Math.abs(distance),
      minute: (minuteOfDay + distance + MINUTES_PER_DAY) % MINUTES_PER_DAY,
    }))
    .flatMap((one) => {
      const count = ofDay.get(one.minute);
      return count === undefined ? [] : [{ ...one, count }];
    });
  const [quietest] = near.sort((a, b) => a.count - b.count || a.distance - b.distance);
  if (!quietest) return undefined;
  const { minute, count } = quietest;
  return { at: textOf(minute).slice(11), count, countThere: ofDay.get(minuteOfDay) };
}
