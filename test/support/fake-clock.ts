import type { Clock } from '../../lambdas/core/clock/clock';

const nextMacrotask = setImmediate; // taken once, so that a test which fakes timers cannot stop the flush
const { nextTick } = process;
const DEFAULT_START_MS = Date.UTC(2026, 11, 1, 8, 30);

interface Sleeper {
  atMs: number;
  wake: () => void;
}

/**
 * Virtual time, which never passes by itself. `advance` moves it and wakes sleepers in order of their time,
 * then of their call. All promises that depend on a sleeper run before the next one wakes.
 */
export class FakeClock implements Clock {
  private elapsedMs = 0;
  private wallOffsetMs: number;
  private readonly sleepers: Sleeper[] = [];

  /** `promisesOnly`: what runs on this clock waits for promises alone, never for the event loop. Faster. */
  constructor(
    startMs: number = DEFAULT_START_MS,
    private readonly options: { promisesOnly?: true } = {},
  ) {
    this.wallOffsetMs = startMs;
  }

  nowMs(): number {
    return this.wallOffsetMs + this.elapsedMs;
  }

  monotonicMs(): number {
    return this.elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted) return resolve();
      const sleeper: Sleeper = { atMs: this.elapsedMs + ms, wake: () => undefined };
      const aborted = () => {
        this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
        resolve();
      };
      sleeper.wake = () => {
        signal?.removeEventListener('abort', aborted);
        resolve();
      };
      signal?.addEventListener('abort', aborted, { once: true });
      this.insert(sleeper);
    });
  }

  /** Steps the wall clock alone, as an operator or a time server does; no sleeper notices. */
  stepWall(ms: number): void {
    this.wallOffsetMs += ms;
  }

  /** Moves time by `ms`. */
  async advance(ms: number): Promise<void> {
    const endMs = this.elapsedMs + ms;
    await new Promise<void>((resolve) => nextMacrotask(resolve));
    for (let next = this.sleepers[0]; next && next.atMs <= endMs; next = this.sleepers[0]) {
      await this.wakeFirst();
    }
    this.elapsedMs = endMs;
  }

  /** Moves time to the next sleeper, and wakes it. False if there is no sleeper. */
  async advanceToNext(): Promise<boolean> {
    await this.flush();
    if (this.sleepers.length === 0) return false;
    await this.wakeFirst();
    return true;
  }

  /** Moves time, from sleeper to sleeper, until `work` settles. Throws if it waits for anything but time. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    work.then(done, done);
    await this.flush();
    while (!settled) {
      if (!(await this.advanceToNext()) && !settled)
        throw new Error('the work waits, but there is no sleeper');
    }
    return work;
  }

  /** Lets every promise that can go on do so, without moving time. */
  async flush(): Promise<void> {
    // Node runs a tick that a promise asks for when no promise can go on any more.
    const later = this.options.promisesOnly ? nextTick : nextMacrotask;
    await new Promise<void>((resolve) => {
      later(resolve);
    });
  }

  /** This time, read off another machine's clock: `offsetMs` ahead (behind where negative). */
  skewed(offsetMs: number): Clock {
    return {
      nowMs: () => this.nowMs() + offsetMs,
      monotonicMs: () => this.monotonicMs(),
      sleep: (ms, signal) => this.sleep(ms, signal),
    };
  }

  /** When the next sleeper wakes, on the monotonic clock; undefined if there is none. */
  nextWakeMs(): number | undefined {
    return this.sleepers[0]?.atMs;
  }

  /** The number of sleepers, to test for timers that were left behind. */
  get sleeping(): number {
    return this.sleepers.length;
  }

  private async wakeFirst(): Promise<void> {
    const sleeper = this.sleepers.shift()!;
    this.elapsedMs = Math.max(this.elapsedMs, sleeper.atMs);
    sleeper.wake();
    await this.flush();
  }

  private insert(sleeper: Sleeper): void {
    let low = 0;
    let high = this.sleepers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sleepers[middle]!.atMs <= sleeper.atMs) low = middle + 1;
      else high = middle;
    }
    this.sleepers.splice(low, 0, sleeper);
  }
}
