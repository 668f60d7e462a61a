import { ORDERING_QUEUES, OVERLAP_LOCKS } from '../../lambdas/core/contracts/tables';
import { TABLES } from '../support/dynamo/memory-backend';
import type { Stage } from './stages';

/** What a stage leaves behind with one write. `cursor`: the scanner's and the sweeper's. */
export type WriteKind = 'entry' | 'job' | 'row' | 'ticket' | 'lock' | 'cursor' | 'message';

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

/** A place in the protocol where a node may die. */
export type WriteMoment = Pick<WriteKill, 'stage' | 'write' | 'side'>;

const BUCKET = /^\d{4}-\d\d-\d\dT/;

/** The kind of a row's write. Undefined: a row that no such fault knows. */
export function writeKindOf(table: string, key: Readonly<Record<string, unknown>>): WriteKind | undefined {
  if (table === TABLES.executions) return 'row';
  if (table === TABLES.jobs) {
    const sort = String(key.jobId);
    if (sort.startsWith(OVERLAP_LOCKS)) return 'lock';
    return sort.startsWith('#') ? undefined : 'job';
  }
  const bucket = String(key.bucket);
  if (BUCKET.test(bucket)) return 'entry';
  if (bucket.startsWith(ORDERING_QUEUES)) return 'ticket';
  return bucket.startsWith('#cursors#') ? 'cursor' : undefined;
}

/** The faults of a run that wait for their writes. */
export class WriteKills {
  private readonly waiting: { fault: WriteKill; left: number }[];

  constructor(faults: readonly WriteKill[]) {
    this.waiting = faults.map((fault) => ({ fault, left: fault.nth }));
  }

  /** Counts a write, and returns whether its node dies here. */
  strike({ stage, write, side }: WriteMoment, nowMs: number): boolean {
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
