/** How often a page asks again. */

const MAX_MS = 60_000;
const LEAST_BACKOFF_MS = 5_000;

/**
 * The pause until the next request in milliseconds. Each failure in a row doubles it, up to a minute. The
 * time of the last one shifts it by up to a tenth, so that many pages do not ask together.
 */
export function pauseMs(everyMs: number, failures: number, lastAtMs: number): number {
  const base =
    failures === 0 ? everyMs : Math.min(MAX_MS, Math.max(everyMs, LEAST_BACKOFF_MS) * 2 ** failures);
  return Math.round(base * (0.9 + (lastAtMs % 201) / 1_000));
}

const SOON_MS = 5_000;
const LATER_MS = 30_000;

/** The pause of a ledger in which nothing runs: to a second after its next due time, within bounds. */
export const untilDueMs = (dueAt: string | undefined, nowMs: number): number =>
  dueAt === undefined ? LATER_MS : Math.min(LATER_MS, Math.max(SOON_MS, Date.parse(dueAt) + 1_000 - nowMs));
