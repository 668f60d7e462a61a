import type { EventLoopUtilization } from 'node:perf_hooks';

/** An environment, by what its thread does. */
export interface Thread {
  /** Milliseconds of work and of waiting so far. */
  loopUtilization(): EventLoopUtilization | 'starting';
}

type Spent = Pick<EventLoopUtilization, 'active' | 'idle'>;

/** Shares are those of a period of at least this length. */
const SAMPLE_MS = 50;
/** Two: on a machine that other programs keep busy, each thread is one share of it. */
const THREADS_A_PROCESSOR = 2;

/**
 * How far the environments of all functions use the processors of this machine. A thread that waits for a
 * processor counts as one that works, so other programs on the machine count too.
 */
export class ProcessorLoad {
  private readonly threads = new Map<Thread, { spent: Spent; share: number }>();
  private sampledAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly processors: number,
    private readonly monotonicMs: () => number,
  ) {}

  add(thread: Thread): void {
    this.threads.set(thread, { spent: { active: 0, idle: 0 }, share: 1 });
  }

  remove(thread: Thread): void {
    this.threads.delete(thread);
  }

  /** Whether one more thread would do more work. */
  hasRoom(): boolean {
    return this.sharesOf(this.threads.keys()) < THREADS_A_PROCESSOR * this.processors;
  }

  /** Sum over these threads of the share of the last period in which each has worked, from 0 to 1. */
  sharesOf(threads: Iterable<Thread>): number {
    this.sample();
    let sum = 0;
    for (const thread of threads) sum += this.threads.get(thread)?.share ?? 0;
    return sum;
  }

  private sample(): void {
    const nowMs = this.monotonicMs();
    if (nowMs - this.sampledAtMs < SAMPLE_MS) return;
    this.sampledAtMs = nowMs;
    for (const [thread, last] of this.threads) {
      const now = thread.loopUtilization();
      if (now === 'starting') continue;
      const { active, idle } = last.spent;
      const all = now.active + now.idle - active - idle;
      this.threads.set(thread, { spent: now, share: all > 0 ? (now.active - active) / all : 1 });
    }
  }
}
