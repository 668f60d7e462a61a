import { SECOND_MS } from '../clock/clock';
import type { Errand } from './errand';
import type { DelegatedLease, Execution } from './execution';
import { CLOCK_SKEW_MS } from './timing';

/**
 * The lease of a running attempt, on one axis, from the send time of the last acknowledged heartbeat:
 *
 *     0        8        16       24  26              40
 *     heartbeat     heartbeat     heartbeat     heartbeat|abort          stale: may be taken over
 *
 * Three heartbeats may fail. The executor aborts 14 s before another may start. That gap outlasts the clock
 * skew (5 s), a heartbeat that is acknowledged late (2 s) and a slow abort.
 */
export const HEARTBEAT_EVERY_MS = 8 * SECOND_MS;
export const HEARTBEAT_TIMEOUT_MS = 2 * SECOND_MS;
export const ABORT_AFTER_MS = 26 * SECOND_MS;
const STALE_AFTER_MS = 40 * SECOND_MS;

/**
 * The instant after which the lease of a running attempt may be taken over. A target's own clock plays no
 * part: the API stamps the target's heartbeats, and the clock of that invocation may differ from the
 * reader's.
 */
export function leaseLimitMs({
  heartbeatAtMs = 0,
  delegatedTo,
}: Pick<Execution, 'heartbeatAtMs' | 'delegatedTo'>): number {
  if (!delegatedTo) return heartbeatAtMs + STALE_AFTER_MS;
  return Math.min(heartbeatAtMs + delegatedTo.heartbeatWithinMs, delegatedTo.endsAtMs) + CLOCK_SKEW_MS;
}

/** Whether a delegated lease ends by the time of its attempt, and not by the silence of its holder. */
export const isPastItsTime = ({
  heartbeatAtMs = 0,
  delegatedTo,
}: Pick<Execution, 'heartbeatAtMs' | 'delegatedTo'>): boolean =>
  delegatedTo !== undefined && heartbeatAtMs + delegatedTo.heartbeatWithinMs >= delegatedTo.endsAtMs;

/** Attempts lost in a row, without any result, before the execution fails as `crashed`. */
export const MAX_TAKEOVERS = 5;
/** After this many takeovers in a row an attempt is processed alone: it may be what kills its neighbours. */
export const ALONE_FROM_TAKEOVERS = 2;

/** A running execution whose lease is delegated to an errand. */
export type OnErrand = Execution & { delegatedTo: DelegatedLease & { errand: Errand } };

export const isOnErrand = (execution: Execution): execution is OnErrand =>
  execution.status === 'running' && execution.delegatedTo?.errand !== undefined;
