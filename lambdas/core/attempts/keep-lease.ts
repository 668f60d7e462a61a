import { type Clock, SECOND_MS } from '../clock/clock';
import type { LeaseHandle } from './lease-handle';
import { ABORT_AFTER_MS, HEARTBEAT_EVERY_MS, HEARTBEAT_TIMEOUT_MS } from '../domain/lease';
import type { HeartbeatOutcome, ExecutionStore, Lease } from '../store/execution-store';
import { isRetryable } from '../is-retryable';
import type { Log } from '../telemetry/telemetry';

/** Pause between tries of a write that got no answer; the tries end with the lease. */
const WRITE_AGAIN_AFTER_MS = SECOND_MS;

export interface KeptLease extends LeaseHandle {
  /** Aborts when the attempt has to end: the lease is lost, or cancellation was requested. */
  readonly signal: AbortSignal;
  /** Why nothing may be written any more; undefined while the lease holds. */
  lostBy(): 'refused' | 'expired' | undefined;
  /** Stops the heartbeats. Resolves when nothing of it is left running. */
  release(): Promise<void>;
}

/**
 * Keeps a lease by a heartbeat every 8 s, each its own short call. What counts is the send time of the last
 * acknowledged heartbeat, on the monotonic clock. 26 s after it the holder stops, whatever its calls are
 * doing: well before the sweeper may take over at 40 s. A refused heartbeat means a takeover, and the holder
 * stops at once. A heartbeat without a response only fails to move the deadline.
 *
 * @param sentAtMonotonicMs when the claim was sent: it is the first acknowledged heartbeat
 */
export function keepLease(
  lease: Lease,
  sentAtMonotonicMs: number,
  deps: { executions: Pick<ExecutionStore, 'heartbeat'>; clock: Clock; log: Log },
): KeptLease {
  const { clock } = deps;
  const attempt = new AbortController();
  const over = new AbortController();
  let lostBy: 'refused' | 'expired' | undefined;
  let cancelRequested = false;
  let lastAckedMs = sentAtMonotonicMs;

  const lose = (by: 'refused' | 'expired') => {
    lostBy ??= by;
    over.abort();
    attempt.abort();
  };
  const cancel = () => {
    cancelRequested = true;
    attempt.abort();
  };

  const heartbeatOnce = async (): Promise<void> => {
    const sentMs = clock.monotonicMs();
    const outcome = await answerWithin(
      HEARTBEAT_TIMEOUT_MS,
      deps.executions.heartbeat(lease, clock.nowMs()),
      clock,
      over.signal,
    );
    if (outcome === 'done') lastAckedMs = sentMs;
    else if (outcome === 'cancel-requested') cancel();
    else if (outcome === 'lease-lost') lose('refused');
    else
      deps.log.warn('heartbeat not acknowledged', {
        jobKey: lease.jobKey,
        execId: lease.execId,
        why: String(outcome),
      });
  };

  const stopHeartbeats = AbortSignal.any([over.signal, attempt.signal]);
  const heartbeating = (async () => {
    for (
      let nextMs = sentAtMonotonicMs + HEARTBEAT_EVERY_MS;
      !stopHeartbeats.aborted;
      nextMs += HEARTBEAT_EVERY_MS
    ) {
      await clock.sleep(nextMs - clock.monotonicMs(), stopHeartbeats);
      if (!stopHeartbeats.aborted) await heartbeatOnce();
    }
  })();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const leftMs = lastAckedMs + ABORT_AFTER_MS - clock.monotonicMs();
      if (leftMs <= 0) lose('expired');
      else await clock.sleep(leftMs, over.signal);
    }
  })();

  const isLostBy = () => {
    if (clock.monotonicMs() - lastAckedMs >= ABORT_AFTER_MS) lose('expired');
    return lostBy;
  };

  return {
    lease,
    signal: attempt.signal,
    lostBy: isLostBy,
    // Where the lease runs out first, the sweeper's takeover is the way on.
    write: async <Outcome>(write: () => Promise<Outcome>): Promise<Outcome | 'lease-lost'> => {
      while (!isLostBy()) {
        try {
          return await write();
        } catch (error) {
          if (!isRetryable(error)) throw error;
          const { execId } = lease;
          deps.log.warn('result not acknowledged, trying again', { execId, error });
          await clock.sleep(WRITE_AGAIN_AFTER_MS);
        }
      }
      return 'lease-lost';
    },
    cancelRequested: () => cancelRequested,
    release: async () => {
      over.abort();
      await Promise.all([heartbeating, watching]);
    },
  };
}

/**
 * The heartbeat's outcome, or why there is none. A call that hangs is left behind, so that calls never pile
 * up.
 */
async function answerWithin(
  timeoutMs: number,
  heartbeat: Promise<HeartbeatOutcome>,
  clock: Clock,
  over: AbortSignal,
): Promise<HeartbeatOutcome | Error> {
  const settled = new AbortController();
  const answer = heartbeat
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    .finally(() => settled.abort());
  const timeOut = clock.sleep(timeoutMs, AbortSignal.any([settled.signal, over]));
  const first = await Promise.race([answer, timeOut.then(() => 'time' as const)]);
  if (first !== 'time') return first;
  return settled.signal.aborted ? answer : new Error(`no answer within ${timeoutMs} ms`);
}
