import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { ErrandType } from '../contracts/errand-services';
import { type Errand, ERRAND_RULES } from './errand';
import type { OnErrand } from './lease';

/** The first probe comes this long after the start. A start that is on its way has arrived by then. */
export const FIRST_PROBE_MS = MINUTE_MS;
/** How often one probes for an end that is asked for, or for an errand that may not run. */
const PRESSING_EVERY_MS = 30 * SECOND_MS;
/** How long an errand may keep silent after its time, or after its end was requested. */
const GIVE_UP_AFTER_MS = HOUR_MS;

const SHORT_PAUSE_MS = 15 * MINUTE_MS;

/**
 * The longest distance between two probes, by how long the errand has run. It stays short where a service
 * forgets an errand soon after its end.
 */
function longestPauseMs(type: ErrandType, elapsedMs: number): number {
  if (elapsedMs < DAY_MS || ERRAND_RULES[type].visibleForMs < DAY_MS) return SHORT_PAUSE_MS;
  return elapsedMs < 7 * DAY_MS ? HOUR_MS : 6 * HOUR_MS;
}

/**
 * The times of probes around now: the last one by now, if any, and the next one. Their distances double. They
 * depend on the first start alone, so whatever orders probes of one errand orders the same ones.
 */
export function probesAround(
  { type, firstStartAtMs }: Pick<Errand, 'type' | 'firstStartAtMs'>,
  nowMs: number,
): { lastAtMs: number | undefined; nextAtMs: number } {
  let lastMs: number | undefined;
  let nextMs = FIRST_PROBE_MS;
  while (firstStartAtMs + nextMs <= nowMs) {
    lastMs = nextMs;
    nextMs += Math.min(nextMs, longestPauseMs(type, nextMs));
  }
  return {
    lastAtMs: lastMs === undefined ? undefined : firstStartAtMs + lastMs,
    nextAtMs: firstStartAtMs + nextMs,
  };
}

/** When an errand whose end is awaited now is probed for again: the same time for all who ask by then. */
export const pressingProbeAfter = (nowMs: number): number =>
  (Math.floor(nowMs / PRESSING_EVERY_MS) + 2) * PRESSING_EVERY_MS;

/** Since when the errand is to end, by a wish or by its time; undefined: it may go on. */
export function endAwaitedSinceMs(
  { cancelRequested, delegatedTo: { errand, endsAtMs }, claimedAtMs = 0 }: OnErrand,
  nowMs: number,
): number | undefined {
  const since = [
    ...(cancelRequested ? [cancelRequested.atMs] : []),
    ...(errand.endsAs ? [claimedAtMs] : []),
    ...(nowMs >= endsAtMs ? [endsAtMs] : []),
  ];
  return since.length > 0 ? Math.min(...since) : undefined;
}

/** Whether the errand is probed for now, and soon again. */
export const isPressing = (execution: OnErrand, nowMs: number): boolean =>
  execution.delegatedTo.errand.unresolved === true || endAwaitedSinceMs(execution, nowMs) !== undefined;

/** Whether the errand has kept silent for too long. */
export function isLostFromSight(execution: OnErrand, nowMs: number): boolean {
  const { unresolved } = execution.delegatedTo.errand;
  const since = [
    endAwaitedSinceMs(execution, nowMs),
    unresolved ? execution.heartbeatAtMs : undefined,
  ].filter((one) => one !== undefined);
  return since.some((one) => nowMs >= one + GIVE_UP_AFTER_MS);
}

/** Whether a start that got no answer has arrived by now, if it ever does. */
export const hasArrived = ({ heartbeatAtMs = 0, delegatedTo }: OnErrand, nowMs: number): boolean =>
  nowMs >= heartbeatAtMs + ERRAND_RULES[delegatedTo.errand.type].arrivesWithinMs;
