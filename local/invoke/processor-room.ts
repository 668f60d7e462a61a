import { availableParallelism, cpus } from 'node:os';

/** Shares of the processors from which on they are busy, by whatever runs, and busy with this process. */
const BUSY = 0.9;
const BUSY_HERE = 0.15;
/**
 * Shorter periods say little: in a burst the processors pause for some milliseconds again and again. Over
 * longer ones, the starts themselves, of about 250 ms each, do not count as busy.
 */
export const SAMPLE_MS = 500;

interface Sample {
  /** Processor time of this process so far: all threads, user and system. */
  hereMs: number;
  /** Processor time so far of all processors, and the part of it in which they were not idle. */
  allMs: number;
  busyMs: number;
}

interface Measured {
  processors: number;
  nowMs(): number;
  /** Takes far longer than `nowMs`: the counters of all processors are read. */
  read(): Sample;
}

const THIS_MACHINE: Measured = {
  processors: availableParallelism(),
  nowMs: () => performance.now(),
  read: readSample,
};

/**
 * Whether the processors of this machine have room for one more environment. Each environment loads and
 * compiles the same code again. While the present ones use all processors, a further one only takes time from
 * them. While they wait for targets, it lets more calls run at once. If others keep the processors busy, and
 * this process does little, an environment more does no harm.
 */
export class ProcessorRoom {
  private starting = 0;
  private lastAtMs: number;
  private last: Sample;
  private isBusy = false;

  constructor(private readonly measured: Measured = THIS_MACHINE) {
    this.lastAtMs = measured.nowMs();
    this.last = measured.read();
  }

  /** A start takes a processor for itself, so no more may start at once than there are processors. */
  get hasRoom(): boolean {
    this.sample();
    return this.starting < this.measured.processors && !this.isBusy;
  }

  /** To be called for each start of an environment. Returns what to call once it is ready, or has ended. */
  starts(): () => void {
    this.starting += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.starting -= 1;
      isOpen = false;
    };
  }

  private sample(): void {
    const { processors, nowMs, read } = this.measured;
    const atMs = nowMs();
    const elapsedMs = atMs - this.lastAtMs;
    if (elapsedMs < SAMPLE_MS) return;
    const { last } = this;
    const now = read();
    const here = (now.hereMs - last.hereMs) / (elapsedMs * processors);
    const all = (now.busyMs - last.busyMs) / (now.allMs - last.allMs);
    this.isBusy = all >= BUSY && here >= BUSY_HERE;
    this.lastAtMs = atMs;
    this.last = now;
  }
}

function readSample(): Sample {
  const { user, system } = process.cpuUsage();
  let allMs = 0;
  let idleMs = 0;
  for (const { times } of cpus()) {
    allMs += times.user + times.nice + times.sys + times.irq + times.idle;
    idleMs += times.idle;
  }
  return { hereMs: (user + system) / 1_000, allMs, busyMs: allMs - idleMs };
}
