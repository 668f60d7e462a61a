import type { Clock } from '../../machine/clock';

interface Waiter {
  wake(ready: boolean): void;
}

interface WaiterDeps {
  clock: Clock;
  hasReady(): boolean;
  /** The next time at which a message becomes ready without any further call. */
  nextAtMs(): number | undefined;
}

/** The maximum delay of `setTimeout`. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Consumers that wait for messages of a queue, woken in the order in which they began to wait. */
export class Waiters {
  private readonly waiting = new Set<Waiter>();
  private wakeScheduled = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Number.POSITIVE_INFINITY;

  constructor(private readonly deps: WaiterDeps) {}

  /** Resolves to true when messages may be ready, to false after `waitMs` or an abort. */
  wait(waitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        wake: (ready) => {
          this.waiting.delete(waiter);
          clearTimeout(limit);
          signal?.removeEventListener('abort', giveUp);
          if (this.waiting.size === 0) this.disarm();
          resolve(ready);
        },
      };
      const giveUp = (): void => waiter.wake(false);
      const limit = setTimeout(giveUp, Math.min(waitMs, MAX_TIMER_MS));
      signal?.addEventListener('abort', giveUp);
      this.waiting.add(waiter);
      this.changed();
    });
  }

  /** To be called after a message was added, or may become ready earlier than before. */
  changed(): void {
    if (this.waiting.size === 0) return;
    if (this.deps.hasReady()) this.scheduleWake();
    else this.arm();
  }

  /**
   * Wakes at the end of this turn of the event loop, so that messages sent together are received together.
   */
  private scheduleWake(): void {
    if (this.wakeScheduled) return;
    this.wakeScheduled = true;
    setImmediate(() => {
      this.wakeScheduled = false;
      const [first] = this.waiting;
      if (!first || !this.deps.hasReady()) return this.changed();
      first.wake(true);
      this.changed();
    });
  }

  private arm(): void {
    const atMs = this.deps.nextAtMs();
    if (atMs === undefined || atMs >= this.timerAtMs) return;
    this.disarm();
    this.timerAtMs = atMs;
    const delayMs = Math.min(Math.max(0, atMs - this.deps.clock.nowMs()), MAX_TIMER_MS);
    this.timer = setTimeout(() => {
      this.timerAtMs = Number.POSITIVE_INFINITY;
      this.changed();
    }, delayMs);
  }

  private disarm(): void {
    clearTimeout(this.timer);
    this.timerAtMs = Number.POSITIVE_INFINITY;
  }
}
