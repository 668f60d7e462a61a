import { MINUTE_MS } from '../clock/clock';
import type { Schedule } from './schedule';

interface Range {
  afterMs: number;
  untilMs: number;
}

/**
 * When the n-th occurrence later than `afterMs` is due; undefined if that is later than `untilMs`. Counts
 * ever longer parts, and then halves: each part once.
 */
export function nthOccurrence(
  schedule: Pick<Schedule, 'count'>,
  n: number,
  { afterMs, untilMs }: Range,
): number | undefined {
  let [beforeMs, left] = [afterMs, n];
  let atMs: number;
  for (let lengthMs = MINUTE_MS; ; lengthMs *= 2) {
    atMs = Math.min(beforeMs + lengthMs, untilMs);
    const count = schedule.count(beforeMs, atMs, left);
    if (count >= left) break;
    if (atMs >= untilMs) return undefined;
    [beforeMs, left] = [atMs, left - count];
  }
  while (atMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + atMs) / 2);
    const count = schedule.count(beforeMs, middleMs, left);
    if (count >= left) atMs = middleMs;
    else [beforeMs, left] = [middleMs, left - count];
  }
  return atMs;
}

/**
 * When the n-th occurrence from the end of `(afterMs, untilMs]` is due: 1 for the last one. Undefined if the
 * range has fewer. Counts as `nthOccurrence` does, from the end.
 */
export function nthLastOccurrence(
  schedule: Pick<Schedule, 'count'>,
  n: number,
  { afterMs, untilMs }: Range,
): number | undefined {
  let [atMs, left] = [untilMs, n];
  let beforeMs: number;
  for (let lengthMs = MINUTE_MS; ; lengthMs *= 2) {
    beforeMs = Math.max(atMs - lengthMs, afterMs);
    const count = schedule.count(beforeMs, atMs, left);
    if (count >= left) break;
    if (beforeMs <= afterMs) return undefined;
    [atMs, left] = [beforeMs, left - count];
  }
  while (atMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + atMs) / 2);
    const count = schedule.count(middleMs, atMs, left);
    if (count >= left) beforeMs = middleMs;
    else [atMs, left] = [middleMs, left - count];
  }
  return atMs;
}
