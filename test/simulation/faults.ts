import { FakeRandom } from '../support/fake-random';
import { type Stage, STAGES } from './stages';
import { type BetweenKill, type WriteKill, WriteKills, type WriteMoment } from './write-kills';

export type { Stage };
export type Table = 'jobs' | 'executions' | 'schedule';

/** Faults of a period of time. On each occasion they strike with a probability. */
export const WINDOW_KINDS = [
  'store-throttled',
  'store-request-lost',
  'store-answer-lost',
  'store-error-applied',
  'store-applied-late',
  'store-unprocessed',
  'store-slow',
  'store-conflict',
  'store-outage',
  'store-stale',
  'queue-lost',
  'queue-duplicated',
  'queue-delayed',
  'queue-reordered',
  'queue-refused',
  'queue-answer-lost',
  'queue-delete-lost',
  'queue-stopped',
  'request-lost',
  'request-duplicated',
  'request-delayed',
  'tick-missed',
  'tick-doubled',
  'tick-late',
  'target-fails',
  'target-refuses',
  'target-slow',
  'target-hangs',
  'target-cut-after-work',
  'target-asks-to-wait',
  'clock-wild',
] as const;
/** What happens to processes that claim work. No draw of a usual plan has them: it has no such processes. */
export const WORKER_KINDS = [
  'worker-dies',
  'worker-freezes',
  'worker-releases',
  'worker-answer-lost',
  'worker-answer-late',
] as const;
/** What happens to errands, and to the events about them. No draw of a usual plan has them: it has none. */
export const ERRAND_KINDS = [
  'errand-refused',
  'errand-start-lost',
  'errand-answer-lost',
  'errand-name-taken',
  'errand-fails',
  'errand-host-lost',
  'errand-slow',
  'errand-gone',
  'errand-aborted',
  'event-lost',
  'event-doubled',
  'event-late',
  'probe-denied',
  'probe-throttled',
  'probe-stale',
] as const;
export type WindowKind =
  | (typeof WINDOW_KINDS)[number]
  | (typeof WORKER_KINDS)[number]
  | (typeof ERRAND_KINDS)[number];

export interface WindowFault {
  id: number;
  kind: WindowKind;
  fromMs: number;
  untilMs: number;
  /** Probability of each strike. */
  rate: number;
  table?: Table;
  stage?: Stage;
}

/**
 * Faults that strike once: the first invocation of the stage from `fromMs` on, at its n-th await. `step`: its
 * wall clock jumps, by no more than the promise allows unless clocks are wild.
 */
export interface NodeFault {
  id: number;
  kind: 'kill' | 'freeze' | 'step';
  fromMs: number;
  stage: Stage;
  afterAwaits: number;
  /** Freeze only. */
  forMs: number;
  /** Step only: where the clock stands afterwards, from -1 (as far behind as may be) to 1. */
  to: number;
}

export interface MomentFault {
  id: number;
  /** `maintenance`: operators stop the deployment at `fromMs` and start it again at `untilMs`. */
  kind: 'purge' | 'shards-raised' | 'ticks-stop' | 'maintenance';
  fromMs: number;
  untilMs: number;
}

export type Fault = WindowFault | NodeFault | MomentFault | WriteKill | BetweenKill;

/**
 * Rates of kinds that strike seldom, or shall strike every time: a fault that never strikes tests nothing.
 */
const RATES: Partial<Record<WindowKind, readonly number[]>> = {
  'store-outage': [1],
  'queue-stopped': [1],
  'tick-missed': [0.5, 1],
  'tick-late': [0.5, 1],
  'tick-doubled': [0.5, 1],
  'target-fails': [0.3, 1],
  'target-hangs': [0.1, 0.5],
  'clock-wild': [0.3],
};
const LONGEST_MS: Partial<Record<WindowKind, number>> = {
  'store-outage': 150_000,
  'queue-stopped': 300_000,
  'tick-missed': 240_000,
};
const NODE_KINDS = ['kill', 'kill', 'kill', 'freeze', 'freeze', 'step'] as const;
const FREEZES_MS = [10_000, 20_000, 30_000, 45_000, 60_000, 120_000, 300_000, 600_000];

/** Draws the faults of one run. All are over by `untilMs`, except for nodes that are frozen then. */
export function drawFaults(
  random: FakeRandom,
  fromMs: number,
  untilMs: number,
  wildClocks: boolean,
): Fault[] {
  const faults: Fault[] = [];
  const moment = () => random.between(fromMs, untilMs);
  const kinds = WINDOW_KINDS.filter((kind) => kind !== 'clock-wild');
  for (let count = random.between(3, 14); count > 0; count--) {
    const kind = random.pick(kinds);
    const start = moment();
    const lasts = random.between(5_000, LONGEST_MS[kind] ?? 180_000);
    const fault: WindowFault = {
      id: faults.length,
      kind,
      fromMs: start,
      untilMs: Math.min(untilMs, start + lasts),
      rate: random.pick(RATES[kind] ?? [0.05, 0.2, 0.6]),
    };
    if (kind.startsWith('store-') && random.fraction() < 0.7) {
      fault.table = random.pick(['jobs', 'executions', 'schedule'] as const);
    }
    if (kind.startsWith('store-') && random.fraction() < 0.4) fault.stage = random.pick(STAGES);
    faults.push(fault);
  }
  for (let count = random.between(0, 25); count > 0; count--) {
    faults.push({
      id: faults.length,
      kind: random.pick(NODE_KINDS),
      fromMs: moment(),
      stage: random.pick([...STAGES, 'executor', 'executor', 'executor', 'sweeper', 'scanner']),
      afterAwaits: random.between(1, random.pick([8, 25, 60])),
      forMs: random.pick(FREEZES_MS),
      to: random.fraction() * 2 - 1,
    });
  }
  const draws = [
    ['purge', 0.3],
    ['shards-raised', 0.2],
    ['ticks-stop', 0.15],
  ] as const;
  for (const [kind, probability] of draws) {
    if (random.fraction() >= probability) continue;
    const start = moment();
    faults.push({ id: faults.length, kind, fromMs: start, untilMs: Math.min(untilMs, start + 600_000) });
  }
  if (wildClocks) faults.push({ id: faults.length, kind: 'clock-wild', fromMs, untilMs, rate: 0.3 });
  return faults;
}

const MAINTAINED = 0.15;
const LEAST_MAINTENANCE_MS = 30_000;
const LONGEST_MAINTENANCE_MS = 300_000;

/** Draws a maintenance for some runs, with a random of its own: all other draws stay as they are. */
export function drawMaintenance(random: FakeRandom, id: number, fromMs: number, untilMs: number): Fault[] {
  if (random.fraction() >= MAINTAINED) return [];
  const start = random.between(fromMs, untilMs - LEAST_MAINTENANCE_MS);
  const lasts = random.between(LEAST_MAINTENANCE_MS, LONGEST_MAINTENANCE_MS);
  return [{ id, kind: 'maintenance', fromMs: start, untilMs: Math.min(untilMs, start + lasts) }];
}

const isWindow = (fault: Fault): fault is WindowFault =>
  ([...WINDOW_KINDS, ...WORKER_KINDS, ...ERRAND_KINDS] as readonly string[]).includes(fault.kind);
const isOfNode = (fault: Fault): fault is NodeFault => (NODE_KINDS as readonly string[]).includes(fault.kind);
const isWriteKill = (fault: Fault): fault is WriteKill | BetweenKill =>
  fault.kind === 'kill-at-write' || fault.kind === 'kill-between';
const isMoment = (fault: Fault): fault is MomentFault =>
  !isWindow(fault) && !isOfNode(fault) && !isWriteKill(fault);

/** The faults of one run. Every strike is reported. */
export class Faults {
  private readonly windows = new Map<WindowKind, { fault: WindowFault; random: FakeRandom }[]>();
  private readonly nodeFaults: NodeFault[];
  private readonly writeKills: WriteKills;
  readonly moments: readonly MomentFault[];
  private over = false;

  constructor(
    faults: readonly Fault[],
    seed: number,
    private readonly elapsedMs: () => number,
    private readonly report: (kind: string, fault: number, detail: string) => void,
  ) {
    // Each has its own random, so that the strikes of a fault do not depend on the other faults.
    for (const fault of faults.filter(isWindow)) {
      const ofKind = this.windows.get(fault.kind) ?? [];
      ofKind.push({ fault, random: new FakeRandom(seed * 1_009 + fault.id) });
      this.windows.set(fault.kind, ofKind);
    }
    this.nodeFaults = faults.filter(isOfNode).sort((a, b) => a.fromMs - b.fromMs);
    this.writeKills = new WriteKills(faults.filter(isWriteKill));
    this.moments = faults.filter(isMoment);
  }

  /** No fault strikes any more. */
  heal(): void {
    this.over = true;
  }

  /** Whether a fault of the kind strikes here and now. */
  strikes(kind: WindowKind, at: { table?: string; stage?: Stage; detail: string }): boolean {
    const ofKind = this.windows.get(kind);
    if (this.over || !ofKind) return false;
    const nowMs = this.elapsedMs();
    for (const { fault, random } of ofKind) {
      if (nowMs < fault.fromMs || nowMs >= fault.untilMs) continue;
      if (fault.table !== undefined && fault.table !== at.table) continue;
      if (fault.stage !== undefined && fault.stage !== at.stage) continue;
      if (random.fraction() >= fault.rate) continue;
      this.report(kind, fault.id, at.detail);
      return true;
    }
    return false;
  }

  /** The fault of a node of this stage that starts now. Each fault strikes one node. */
  nodeFaultOf(stage: Stage): NodeFault | undefined {
    if (this.over) return undefined;
    const nowMs = this.elapsedMs();
    const at = this.nodeFaults.findIndex((fault) => fault.stage === stage && fault.fromMs <= nowMs);
    return at < 0 ? undefined : this.nodeFaults.splice(at, 1)[0];
  }

  /** Whether the node that makes this write dies at it. */
  killsAt(moment: WriteMoment): boolean {
    return !this.over && this.writeKills.strike(moment, this.elapsedMs());
  }

  /** Whether a fault of the kind lasts now. It strikes at each call. */
  during(kind: MomentFault['kind'], detail: string): boolean {
    const nowMs = this.elapsedMs();
    const fault = this.moments.find((one) => one.kind === kind && nowMs >= one.fromMs && nowMs < one.untilMs);
    if (this.over || !fault) return false;
    this.report(kind, fault.id, detail);
    return true;
  }
}
