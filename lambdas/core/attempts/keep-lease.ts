import { startTimer } from '../async/start-timer';
import { withTimeout } from '../async/with-timeout';
import { type Clock, SECOND_MS } from '../clock/clock';
import { ABORT_AFTER_MS, HEARTBEAT_EVERY_MS, HEARTBEAT_TIMEOUT_MS } from '../domain/lease';
import { isRetryable } from '../is-retryable';
import type { ExecutionStore, Lease } from '../store/execution-store';
import type { Log } from '../telemetry/telemetry';
import type { LeaseHandle } from '../store/lease-handle';

/** Pause between tries of a write that got no answer; the tries end with the lease. */
const WRITE_AGAIN_AFTER_MS = SECOND_MS;

export interface KeptLease extends LeaseHandle {
  /** Aborts when the attempt has to end: the lease is lost, or cancellation was requested. */
  readonly signal: AbortSignal;
  /** Why nothing may be written any more; undefined while the lease holds. */
  lostBy(): LostBy | undefined;
  /** Stops the heartbeats. Resolves when nothing of it is left running. */
  release(): Promise<void>;
}

type LostBy = 'refused' | 'expired';

interface KeepDeps {
  executions: Pick<ExecutionStore, 'heartbeat'>;
  clock: Clock;
  log: Log;
}

/**
 * Keeps a lease by a heartbeat every 8 s, each its own short call. What counts is the send time of the last
 * acknowledged heartbeat, on the monotonic clock. 26 s after it the holder stops, whatever its calls are
 * doing: well before the sweeper may take over at 40 s. A refused heartbeat means a takeover, and the holder
 * stops at once. A heartbeat without a response only fails to move the deadline.
 *
 * @param sentAtMonotonicMs when the claim was sent: it is the first acknowledged heartbeat
 */
export function keepLease(lease: Lease, sentAtMonotonicMs: number, deps: KeepDeps): KeptLease {
  const state = new LeaseState(sentAtMonotonicMs, deps.clock);
  const heartbeating = sendHeartbeats(lease, sentAtMonotonicMs, state, deps);
  const watching = watchDeadline(state);
  return {
    lease,
    signal: state.ended,
    lostBy: () => state.lostBy(),
    write: (write) => writeWhileHeld(lease, write, state, deps),
    cancelRequested: () => state.cancelRequested,
    release: async () => {
      state.release();
      await Promise.all([heartbeating, watching]);
    },
  };
}

/** A ready-made abort reason: without one, each lease would create an error at its end. */
const OVER = 'over';

/** Whether a lease holds, by the send time of its last acknowledged heartbeat. */
class LeaseState {
  cancelRequested = false;
  /** The lease is lost or released: nothing of it is to be left running. */
  isOver = false;
  private readonly attempt = new AbortController();
  /** Made for the first heartbeat: most leases end before it. */
  private over: AbortController | undefined;
  private readonly wakes = new Set<() => void>();
  private lost: LostBy | undefined;

  constructor(
    private lastAckedMs: number,
    private readonly clock: Clock,
  ) {}

  /** Aborts when the attempt has to end. */
  readonly ended = this.attempt.signal;

  /** Aborts when the lease is over. */
  get left(): AbortSignal {
    this.over ??= new AbortController();
    if (this.isOver) this.over.abort(OVER);
    return this.over.signal;
  }

  /** Waits, but not longer than until the lease is over, or its attempt has to end. */
  sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.wakes.delete(wake);
        resolve();
      };
      const cancel = startTimer(this.clock, ms, wake);
      this.wakes.add(wake);
    });
  }

  /** Monotonic milliseconds until the holder has to stop. */
  leftMs(): number {
    return this.lastAckedMs + ABORT_AFTER_MS - this.clock.monotonicMs();
  }

  lostBy(): LostBy | undefined {
    if (this.leftMs() <= 0) this.lose('expired');
    return this.lost;
  }

  acknowledge(sentAtMonotonicMs: number): void {
    this.lastAckedMs = sentAtMonotonicMs;
  }

  lose(by: LostBy): void {
    this.lost ??= by;
    this.release();
    this.attempt.abort();
  }

  cancel(): void {
    this.cancelRequested = true;
    this.attempt.abort();
    this.wakeAll();
  }

  release(): void {
    this.isOver = true;
    this.over?.abort(OVER);
    this.wakeAll();
  }

  private wakeAll(): void {
    for (const wake of this.wakes) wake();
  }
}

async function sendHeartbeats(
  lease: Lease,
  sentAtMonotonicMs: number,
  state: LeaseState,
  deps: KeepDeps,
): Promise<void> {
  const { clock } = deps;
  const isStopped = () => state.isOver || state.ended.aborted;
  for (let nextMs = sentAtMonotonicMs + HEARTBEAT_EVERY_MS; !isStopped(); nextMs += HEARTBEAT_EVERY_MS) {
    await state.sleep(nextMs - clock.monotonicMs());
    if (!isStopped()) await sendHeartbeat(lease, state, deps);
  }
}

/** A call that hangs is left behind, so that calls never pile up. What it says later does not count. */
async function sendHeartbeat(lease: Lease, state: LeaseState, deps: KeepDeps): Promise<void> {
  const { clock, executions, log } = deps;
  const sentMs = clock.monotonicMs();
  const send = () => executions.heartbeat(lease, clock.nowMs());
  try {
    const outcome = await withTimeout(HEARTBEAT_TIMEOUT_MS, send, clock, { signal: state.left });
    if (outcome === 'done') state.acknowledge(sentMs);
    else if (outcome === 'cancel-requested') state.cancel();
    else state.lose('refused');
  } catch (error) {
    if (state.isOver) return; // nothing depends on it any more
    const { jobKey, execId } = lease;
    log.warn('heartbeat not acknowledged', { jobKey, execId, why: String(error) });
  }
}

async function watchDeadline(state: LeaseState): Promise<void> {
  while (!state.isOver) {
    const leftMs = state.leftMs();
    if (leftMs <= 0) state.lose('expired');
    else await state.sleep(leftMs);
  }
}

/** If the lease runs out before a try gets an answer, the sweeper's takeover settles the attempt. */
async function writeWhileHeld<Outcome>(
  { execId }: Lease,
  write: () => Promise<Outcome>,
  state: LeaseState,
  { clock, log }: KeepDeps,
): Promise<Outcome | 'lease-lost'> {
  while (!state.lostBy()) {
    try {
      return await write();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      log.warn('result not acknowledged, trying again', { execId, error });
      await clock.sleep(WRITE_AGAIN_AFTER_MS);
    }
  }
  return 'lease-lost';
}
