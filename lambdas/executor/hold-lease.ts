import type { Clock } from '../core/clock/clock';
import { ABORT_AFTER_MS, BEAT_EVERY_MS, BEAT_TIMEOUT_MS } from '../core/domain/lease';
import type { ExecutionStore, Lease } from '../core/store/execution-store';
import type { Log } from '../core/telemetry/telemetry';

export type LeaseEnd = 'released' | 'refused' | 'expired';

export interface HeldLease {
  readonly lease: Lease;
  /** Aborts as soon as the lease is refused or may no longer be relied on. */
  readonly signal: AbortSignal;
  /** Why `signal` aborted; undefined while the lease holds. */
  lostBy(): Exclude<LeaseEnd, 'released'> | undefined;
  /** Stops beating. Resolves when nothing of it is left running. */
  release(): Promise<void>;
}

/**
 * Keeps a lease by a beat every 8 s, each its own short call. What counts is the send time of the last acknowledged
 * beat, on the monotonic clock: 26 s after it the holder stops, whatever its calls are doing, well before anybody may
 * take over at 40 s. A refused beat means that somebody has; then it stops at once. A beat without an answer is
 * neither: it only fails to move the deadline.
 *
 * @param sentAtMonotonicMs when the claim was sent: it is the first acknowledged beat
 */
export function holdLease(
  lease: Lease,
  sentAtMonotonicMs: number,
  deps: { executions: Pick<ExecutionStore, 'beat'>; clock: Clock; log: Log },
): HeldLease {
  const { clock } = deps;
  const over = new AbortController();
  let end: LeaseEnd | undefined;
  let lastAckedMs = sentAtMonotonicMs;

  const stop = (by: LeaseEnd) => {
    end ??= by;
    over.abort();
  };
  const untilDeadlineMs = () => lastAckedMs + ABORT_AFTER_MS - clock.monotonicMs();

  const beatOnce = async (): Promise<void> => {
    const sentMs = clock.monotonicMs();
    const settled = new AbortController();
    const answer = deps.executions
      .beat(lease, clock.nowMs())
      .catch((error: unknown) => {
        deps.log.warn('beat not acknowledged', {
          execId: lease.execId,
          jobKey: lease.jobKey,
          error: String(error),
        });
        return 'unknown' as const;
      })
      .finally(() => settled.abort());
    const timeOut = clock.sleep(BEAT_TIMEOUT_MS, AbortSignal.any([settled.signal, over.signal]));
    const outcome = await Promise.race([answer, timeOut.then(() => 'unknown' as const)]);
    const late = settled.signal.aborted ? await answer : outcome;
    if (late === 'done') lastAckedMs = sentMs;
    if (late === 'lease-lost') stop('refused');
  };

  const beating = (async () => {
    for (let nextMs = sentAtMonotonicMs + BEAT_EVERY_MS; !over.signal.aborted; nextMs += BEAT_EVERY_MS) {
      await clock.sleep(nextMs - clock.monotonicMs(), over.signal);
      if (!over.signal.aborted) await beatOnce();
    }
  })();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const leftMs = untilDeadlineMs();
      if (leftMs <= 0) stop('expired');
      else await clock.sleep(leftMs, over.signal);
    }
  })();

  const signal = new AbortController();
  over.signal.addEventListener('abort', () => end !== 'released' && signal.abort(), { once: true });
  return {
    lease,
    signal: signal.signal,
    lostBy: () => (end === 'released' ? undefined : end),
    release: async () => {
      stop('released');
      await Promise.all([beating, watching]);
    },
  };
}
