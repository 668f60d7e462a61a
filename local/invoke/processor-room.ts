import { availableParallelism, cpus } from 'node:os';

/** Shares of the processors from which on they are busy, by whatever runs, and busy with this process. */
const BUSY = 0.8;
const BUSY_HERE = 0.15;
/** After a start, a use below this share says soon enough that no burst is going on. */
const QUIET = 0.5;
/**
 * Shorter periods say little: in a burst the processors pause for some milliseconds again and again, and one
 * environment after another would start. Longer ones delay the environments that slow targets need.
 */
export const SAMPLE_MS = 500;
export const QUIET_SAMPLE_MS = 100;

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
  /** Whether the use of the processors has been measured since the last start of an environment. */
  private isMeasured = true;
  private isBusy = false;
  /** Since the last start. */
  private checks = 0;

  constructor(private readonly measured: Measured = THIS_MACHINE) {
    this.lastAtMs = measured.nowMs();
    this.last = measured.read();
  }

  /**
   * A start takes a processor for itself, and one stays free for the environments that are at work. What a
   * burst needs shows only when the last one that started takes its part. Until then there is no room, unless
   * the processors are quiet: slow targets need one environment after another.
   */
  get hasRoom(): boolean {
    this.sample();
    const mayStart = this.starting < Math.max(1, this.measured.processors - 1);
    return mayStart && this.isMeasured && !this.isBusy;
  }

  /** To be called for each start of an environment. Returns what to call once it is ready, or has ended. */
  starts(): () => void {
    this.starting += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.starting -= 1;
      this.isMeasured = false;
      this.checks = 0;
      this.lastAtMs = this.measured.nowMs();
      this.last = this.measured.read();
    };
  }

  private sample(): void {
    const { processors, nowMs, read } = this.measured;
    const atMs = nowMs();
    const elapsedMs = atMs - this.lastAtMs;
    if (elapsedMs < (this.isMeasured ? SAMPLE_MS : (this.checks + 1) * QUIET_SAMPLE_MS)) return;
    this.checks += 1;
    const { last } = this;
    const now = read();
    const here = (now.hereMs - last.hereMs) / (elapsedMs * processors);
    const all = (now.busyMs - last.busyMs) / (now.allMs - last.allMs);
    if (elapsedMs < SAMPLE_MS && all >= QUIET) return;
    this.isBusy = all >= BUSY && here >= BUSY_HERE;
    this.isMeasured = true;
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
