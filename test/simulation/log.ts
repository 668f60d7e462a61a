import { createHash } from 'node:crypto';

import type { LifecycleDetail, LifecycleType } from '../../lambdas/core/contracts/events';
import type { Entry } from '../../lambdas/core/domain/entry';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import type { OverlapLock } from '../../lambdas/core/store/overlap-lock-store';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import type { Cursor } from '../../lambdas/core/store/schedule-store';

/** What a client asked of the API, and how it was answered: `info` = the client cannot know whether it was done. */
export interface ApiRecord {
  src: 'api';
  type: 'invoke' | 'ok' | 'fail' | 'info';
  /** Number of the request: its `invoke` and its answer share it. */
  request: number;
  operation: string;
  jobKey: string;
  execId?: string;
  status?: number;
  etag?: string;
}

/** A request as its target saw it: the only ground truth for "did it run". */
export interface TargetBegin {
  src: 'target';
  type: 'begin';
  call: number;
  node: string;
  jobKey: string;
  execId: string;
  attempt: number;
  fence: number;
  dueAtMs: number;
  /** What the target deduplicates by. */
  deliveryId: string;
  /** Names the definition that the body came from. */
  stamp: string;
  /** How far the caller's clock has been ahead, at the most. */
  offsetMs: number;
}

export interface TargetEnd {
  src: 'target';
  type: 'end';
  call: number;
  /** `cut`: the caller went away, by its abort or by its death. `answer-lost`: only the target knows that it worked. */
  how: 'succeeded' | 'failed' | 'answer-lost' | 'cut';
}

/** A row as it stands after a write, in the order of the table. Heartbeats alone are left out. */
export type TableRecord =
  | { src: 'table'; type: 'job'; jobKey: string; job: Job | null }
  | { src: 'table'; type: 'execution'; execution: Execution }
  | { src: 'table'; type: 'hold'; jobKey: string; hold: OverlapLock }
  | { src: 'table'; type: 'cursor'; cursor: Cursor }
  | { src: 'table'; type: 'entry'; entry: Entry }
  /** A place in the line of an ordering key: taken, or given up. `sort` is its place in the order. */
  | ({ src: 'table'; type: 'place'; line: string; sort: string; stands: boolean } & ExecutionRef)
  /** The line's turn is this execution's from now on. */
  | ({ src: 'table'; type: 'turn'; line: string } & ExecutionRef);

/** A lifecycle event as its stage puts it. */
export interface EventRecord extends ExecutionRef {
  src: 'event';
  type: LifecycleType;
  status: LifecycleDetail['status'];
  fence: number;
}

/** Operators turn the tick's schedule on or off. */
export interface OperatorRecord {
  src: 'operator';
  type: 'tick';
  to: 'on' | 'off';
}

export interface FaultRecord {
  src: 'fault';
  type: string;
  fault: number;
  detail: string;
}

export interface StageRecord {
  src: 'stage';
  type: 'begin' | 'done' | 'failed' | 'killed' | 'frozen' | 'stepped';
  node: string;
  detail?: string;
  /** Frozen only: for how long. */
  forMs?: number;
}

/** All faults are over from here on. */
export interface HealRecord {
  src: 'run';
  type: 'healed';
}

/** What is left when all is quiet. */
export interface EndRecord {
  src: 'run';
  type: 'end';
  jobs: Job[];
  executions: Execution[];
  entries: Entry[];
  cursors: Cursor[];
  /** The number of shards in force. */
  shards: number;
  /** Messages ready to be received, and since when the oldest of them has been. */
  queued: { count: number; oldestMs?: number };
  deadLetters: number;
}

export type Happening =
  | ApiRecord
  | TargetBegin
  | TargetEnd
  | TableRecord
  | EventRecord
  | OperatorRecord
  | FaultRecord
  | StageRecord
  | HealRecord
  | EndRecord;

/** `n` counts from 0, `t` is the observer's wall clock in milliseconds. */
export type LogRecord = Happening & { n: number; t: number };

/** What the checker has to know of how a log came about. */
export interface LogConditions {
  mode: 'safety' | 'liveness';
  /** No two clocks differ by more, unless `wildClocks`. */
  skewMs: number;
  /** Some clocks were far off: only leases, fences and refused results are promised. */
  wildClocks: boolean;
  /** Of a run in real time on one machine, which is over within minutes; absent: what the simulation allows for. */
  patience?: Patience;
}

/** For how long things may be open before they count as broken. */
export interface Patience {
  /** What fell due this long before the end has begun, or was given its reason. */
  settledMs: number;
  /** An execution goes on this long at the most after its last change. */
  endsWithinMs: number;
  /** So near to a change of its job, an occurrence may go either way. */
  changeMarginMs: number;
}

export interface SimulationLog {
  conditions: LogConditions;
  records: readonly LogRecord[];
}

/** An append-only list of what happened. */
export class EventLog {
  readonly records: LogRecord[] = [];

  constructor(private readonly nowMs: () => number) {}

  add(happening: Happening): void {
    this.records.push({ n: this.records.length, t: this.nowMs(), ...structuredClone(happening) });
  }

  /** SHA-256 of all records: equal for equal runs. */
  hash(): string {
    const sha = createHash('sha256');
    for (const record of this.records) sha.update(`${JSON.stringify(record)}\n`);
    return sha.digest('hex');
  }
}
