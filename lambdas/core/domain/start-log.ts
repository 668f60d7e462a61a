import { parseDuration } from '../schedule/duration';

/** How many executions start in any period of a length. */
export interface Rate {
  /** 1 to `MAX_RATE`. */
  limit: number;
  /** A duration from `MIN_RATE_PER` to `MAX_RATE_PER`, as the user wrote it. */
  per: string;
}

export const MAX_RATE = 1_000;
export const MIN_RATE_PER = '1s';
export const MAX_RATE_PER = '24h';
/**
 * The log keeps this many starts one by one. For higher rates it keeps as many slices of the period. So its
 * row stays below 1 KB.
 */
export const MAX_LOGGED = 32;

/** Executions that started together, as far as the log tells them apart. */
export interface LoggedStart {
  /** When the last of them started, by the clock of the process that logged it. */
  atMs: number;
  count: number;
  /** Which execution, if it is a single one. */
  startId?: string;
}

/** The starts of a rate, ascending. Each change replaces the whole log. */
export interface StartLog {
  /** Random; new at each change. */
  logId: string;
  starts: readonly LoggedStart[];
}

const perMsOf = ({ per }: Rate): number => parseDuration(per);

/** Starts that still count at `nowMs`. The own earlier one does not: it moves, and never counts twice. */
const counting = (
  log: StartLog | undefined,
  rate: Rate,
  nowMs: number,
  startId?: string,
): readonly LoggedStart[] =>
  (log?.starts ?? []).filter(
    (one) => one.atMs > nowMs - perMsOf(rate) && (one.startId === undefined || one.startId !== startId),
  );

const sumOf = (starts: readonly LoggedStart[]): number => starts.reduce((sum, { count }) => sum + count, 0);

/** How many executions may start now: negative after the rate was lowered. */
export const freeStarts = (log: StartLog | undefined, rate: Rate, nowMs: number, startId?: string): number =>
  rate.limit - sumOf(counting(log, rate, nowMs, startId));

/** Executions that started in the last period. */
export const recentStarts = (log: StartLog | undefined, rate: Rate, nowMs: number): number =>
  sumOf(counting(log, rate, nowMs));

/** When the next execution may start; `nowMs`: at once. */
export function nextStartMs(log: StartLog | undefined, rate: Rate, nowMs: number, startId?: string): number {
  const starts = counting(log, rate, nowMs, startId);
  let excess = sumOf(starts) + 1 - rate.limit;
  let atMs = nowMs;
  for (const one of starts) {
    if (excess <= 0) break;
    excess -= one.count;
    atMs = one.atMs + perMsOf(rate);
  }
  return atMs;
}

/**
 * The log with one more start. The times never fall, so that a slow clock makes no start count for a shorter
 * time.
 */
export function withStart(
  log: StartLog | undefined,
  rate: Rate,
  { nowMs, startId, logId }: { nowMs: number; startId: string; logId: string },
): StartLog {
  const starts = [...counting(log, rate, nowMs, startId)];
  const last = starts.at(-1);
  const atMs = Math.max(nowMs, last?.atMs ?? nowMs);
  if (rate.limit <= MAX_LOGGED) return { logId, starts: [...starts, { atMs, count: 1, startId }] };
  const sliceMs = perMsOf(rate) / MAX_LOGGED;
  const isSameSlice = last && Math.floor(last.atMs / sliceMs) === Math.floor(atMs / sliceMs);
  if (!isSameSlice) return { logId, starts: [...starts, { atMs, count: 1 }] };
  return { logId, starts: [...starts.slice(0, -1), { atMs, count: last.count + 1 }] };
}
