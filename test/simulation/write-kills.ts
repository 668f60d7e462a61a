import { CALENDARS, ORDERING_QUEUES, OVERLAP_LOCKS } from '../../lambdas/core/contracts/tables';
import { TABLES } from '../support/dynamo/memory-backend';
import type { Stage } from './stages';

/**
 * What a stage leaves behind with one write. `cursor`: the scanner's and the sweeper's. `catch-up`: an entry
 * of an occurrence that catches up; all other ones are `entry`.
 */
export type WriteKind =
  | 'entry'
  | 'catch-up'
  | 'job'
  | 'row'
  | 'ticket'
  | 'lock'
  | 'cursor'
  | 'calendar'
  | 'message';

/** Strikes once: the node of the stage that makes its n-th write of the kind from `fromMs` on dies there. */
export interface WriteKill {
  id: number;
  kind: 'kill-at-write';
  fromMs: number;
  stage: Stage;
  write: WriteKind;
  /** From 1. */
  nth: number;
  /** `before`: the write is not made. `after`: it is made, and its response never arrives. */
  side: 'before' | 'after';
}

/**
 * Strikes once, exactly between two writes, in either order. From `fromMs` on, the first node of the stage
 * that has made one of them dies before it makes the other one.
 */
export interface BetweenKill {
  id: number;
  kind: 'kill-between';
  fromMs: number;
  stage: Stage;
  writes: readonly [WriteKind, WriteKind];
}

/** A place in the protocol where a node may die. `node` names it. */
export type WriteMoment = Pick<WriteKill, 'stage' | 'write' | 'side'> & { node: string };

const BUCKET = /^\d{4}-\d\d-\d\dT/;

/** The kind of a row's write. Undefined: a row that no such fault knows. */
export function writeKindOf(table: string, key: Readonly<Record<string, unknown>>): WriteKind | undefined {
  if (table === TABLES.executions) return 'row';
  if (table === TABLES.jobs) {
    const sort = String(key.jobId);
    if (sort.startsWith(OVERLAP_LOCKS)) return 'lock';
    if (sort.startsWith(CALENDARS)) return 'calendar';
    return sort.startsWith('#') ? undefined : 'job';
  }
  const bucket = String(key.bucket);
  if (BUCKET.test(bucket)) return String(key.entry).includes('#c#') ? 'catch-up' : 'entry';
  if (bucket.startsWith(ORDERING_QUEUES)) return 'ticket';
  return bucket.startsWith('#cursors#') ? 'cursor' : undefined;
}

/** The faults of a run that wait for their writes. */
export class WriteKills {
  private readonly waiting: { fault: WriteKill; left: number }[];
  /** With the kinds of writes that each node has made since the fault began. */
  private readonly between: { fault: BetweenKill; made: Map<string, Set<WriteKind>> }[];

  constructor(faults: readonly (WriteKill | BetweenKill)[]) {
    this.waiting = faults
      .filter((fault) => fault.kind === 'kill-at-write')
      .map((fault) => ({ fault, left: fault.nth }));
    this.between = faults
      .filter((fault) => fault.kind === 'kill-between')
      .map((fault) => ({ fault, made: new Map() }));
  }

  /** Counts a write, and returns whether its node dies here. */
  strike(moment: WriteMoment, nowMs: number): boolean {
    return this.strikesAt(moment, nowMs) || this.strikesBetween(moment, nowMs);
  }

  private strikesBetween({ stage, write, side, node }: WriteMoment, nowMs: number): boolean {
    for (const one of this.between) {
      const { fault, made } = one;
      if (fault.stage !== stage || fault.fromMs > nowMs || !fault.writes.includes(write)) continue;
      const before = made.get(node) ?? new Set();
      if (side === 'after') {
        made.set(node, before.add(write));
      } else if ([...before].some((other) => other !== write)) {
        this.between.splice(this.between.indexOf(one), 1);
        return true;
      }
    }
    return false;
  }

  private strikesAt({ stage, write, side }: WriteMoment, nowMs: number): boolean {
    const counting = this.waiting.filter(
      ({ fault }) =>
        fault.stage === stage && fault.write === write && fault.side === side && fault.fromMs <= nowMs,
    );
    for (const one of counting) one.left -= 1;
    const struck = counting.find(({ left }) => left <= 0);
    if (!struck) return false;
    this.waiting.splice(this.waiting.indexOf(struck), 1);
    return true;
  }
}
