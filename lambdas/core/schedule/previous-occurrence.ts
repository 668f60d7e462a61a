import { DAY_MS, MINUTE_MS } from '../clock/clock';

/** Nothing earlier than this before the given instant is searched. */
const SEARCHED_MS = 36_525 * DAY_MS;
/**
 * Calls of `next` in one search. Ranges that double reach 100 years with the 27th. Halving that range takes
 * 42 more. So only a `next` that contradicts itself can exceed this bound.
 */
const MAX_CALLS = 80;

/**
 * The last due time strictly earlier than `beforeMs`, by `next` alone. It starts from ever earlier instants
 * until `next` returns an earlier due time, and then halves what lies between. Undefined if there is no due
 * time within 100 years, or if the search takes more than 80 calls.
 */
export function previousOccurrence(
  next: (afterMs: number, untilMs: number) => number | undefined,
  beforeMs: number,
): number | undefined {
  let calls = 0;
  let noneAfterMs = beforeMs - 1; // no due time is later than this, and before `beforeMs`
  const earlier = (afterMs: number): number | undefined => {
    calls += 1;
    return next(afterMs, noneAfterMs);
  };
  let foundMs: number | undefined;
  for (let lengthMs = MINUTE_MS; foundMs === undefined && lengthMs < 2 * SEARCHED_MS; lengthMs *= 2) {
    const fromMs = beforeMs - 1 - Math.min(lengthMs, SEARCHED_MS);
    foundMs = earlier(fromMs);
    if (foundMs === undefined) noneAfterMs = fromMs;
  }
  if (foundMs === undefined) return undefined;
  for (let probeMs = foundMs; foundMs < noneAfterMs; probeMs = Math.floor((foundMs + noneAfterMs) / 2)) {
    if (calls >= MAX_CALLS) return undefined;
    const laterMs = earlier(probeMs);
    if (laterMs === undefined) noneAfterMs = probeMs;
    else foundMs = laterMs;
  }
  return foundMs;
}
