import { copyOf } from './copy';
import type { Calendar } from '../../lambdas/core/schedule/calendar';
import type { LifecycleDetail, LifecycleType } from '../../lambdas/core/contracts/events';
import type { Entry } from '../../lambdas/core/domain/entry';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import type { ConcurrencyKeyRef } from '../../lambdas/core/contracts/tables';
import type { LoggedStart, Rate } from '../../lambdas/core/domain/start-log';
import type { Workflow } from '../../lambdas/core/domain/workflow/definition';
import type { OverlapLock } from '../../lambdas/core/store/overlap-lock-store';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import type { Cursor } from '../../lambdas/core/store/schedule-store';
import type { CollectorKind, CollectorRecord, ReceivedSpan } from './collected';
import type { ArchiveRecord, FollowedRecord } from './exported';
import type { PingRecord, ProjectKeyRecord, QuotaRecord } from './pinged';
import type { IncidentConditions, IncidentRecord } from '../support/fake-incidents';

/**
 * A client's request to the API, and the answer. `info`: the client cannot know whether the request was
 * carried out.
 */
export interface ApiRecord {
  src: 'api';
  type: 'invoke' | 'ok' | 'fail' | 'info';
  /** Number of the request. Its `invoke` and its answer share it. */
  request: number;
  operation: string;
  jobKey: string;
  execId?: string;
  status?: number;
  etag?: string;
  /** The jobs that the answer to a batch says it has created. */
  created?: readonly { jobKey: string; createdAtMs: number }[];
  /** What a cancel by a key says has become of the run. */
  outcome?: string | undefined;
  /** What was asked for, if the request is about more than its path says. */
  body?: Readonly<Record<string, unknown>>;
}

/** A call as its target received it: the only ground truth for "did it run". */
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
  /** Index of the target, if the job has several. */
  target?: number;
  /** The target deduplicates by it. */
  deliveryId: string;
  stamp: string; // of the definition of the body
  hasTemplate?: true; // one of the definition, unrendered
  /** The most that the caller's clock has been ahead. */
  offsetMs: number;
}

export interface TargetEnd {
  src: 'target';
  type: 'end';
  call: number;
  /** `cut`: the caller aborted or died. `answer-lost`: it succeeded. `accepted`: it reports later. */
  how: 'succeeded' | 'failed' | 'answer-lost' | 'cut' | 'accepted';
}

export type ReportOperation = 'heartbeatAttempt' | 'completeAttempt' | 'failAttempt';

/** A report of a target by the token of its attempt, and the API's response. */
export interface ReportRecord {
  src: 'report';
  type: 'sent' | 'answered';
  /** Number of the report. Both records share it. */
  report: number;
  call: number;
  operation: ReportOperation;
  /** Absent: not answered. */
  status?: number;
}

/** A row after a write, in the order of the table. Writes that only move a heartbeat are left out. */
export type TableRecord =
  /** `expired`: TTL has deleted the row. */
  | { src: 'table'; type: 'job'; jobKey: string; job: Job | null; expired?: true }
  | { src: 'table'; type: 'execution'; execution: Execution }
  /** A version of a job's workflow. */
  | { src: 'table'; type: 'flow'; jobKey: string; version: string; workflow: Workflow }
  | FollowedRecord
  | ProjectKeyRecord
  /** The content of a calendar from now on. */
  | { src: 'table'; type: 'calendar'; calendarKey: string; calendar: Calendar }
  | { src: 'table'; type: 'overlap-lock'; jobKey: string; lock: OverlapLock }
  | { src: 'table'; type: 'cursor'; cursor: Cursor }
  | { src: 'table'; type: 'entry'; entry: Entry }
  /** A ticket in the queue of an ordering key is written or removed. `sort` is its position. */
  | ({ src: 'table'; type: 'ticket'; queue: string; sort: string; exists: boolean } & ExecutionRef)
  /** An execution is offered in a work queue, or its ticket is removed. */
  | ({ src: 'table'; type: 'work-ticket'; exists: boolean } & WorkTicketRecord)
  /** This execution holds the ordering key of the queue from now on. */
  | ({ src: 'table'; type: 'key-holder'; queue: string } & ExecutionRef)
  /** A concurrency key, or a rule of such keys, is defined, changed or removed: then it has no limit. */
  | ({ src: 'table'; type: 'concurrency-key'; limit?: number; rate?: Rate } & ConcurrencyKeyRef)
  /** A ticket in the queue of a concurrency key is written or removed. */
  | ({ src: 'table'; type: 'slot-ticket'; queue: string; exists: boolean; dueAtMs: number } & ExecutionRef)
  /** An execution takes a slot of a concurrency key, perhaps again, or leaves it: `null`. */
  | { src: 'table'; type: 'slot'; queue: string; slot: string; holder: ExecutionRef | null }
  /** The starts of a concurrency key with a rate, after one more. */
  | { src: 'table'; type: 'start-log'; queue: string; starts: readonly LoggedStart[] };

/** A ticket in a work queue, as it was written. Another offer of it only replaces its message. */
export interface WorkTicketRecord extends ExecutionRef {
  queue: string;
  offerId: string;
  offeredAtMs: number;
  /** As the message says. The job may have changed since. */
  startWithinMs: number;
  startAtMs: number;
  dueAtMs: number;
  attempt: number;
  userRetries?: number;
}

/** A lifecycle event as its stage puts it. */
export interface EventRecord extends ExecutionRef {
  src: 'event';
  type: LifecycleType;
  status: LifecycleDetail['status'];
  fence: number;
}

/**
 * Operators turn the tick's schedule on or off, send dead letters again, or put tables back to `toMs` of the
 * wall clock: `restored`. What is left of the time before has an `end` record, right before.
 */
export type OperatorRecord =
  | { src: 'operator'; type: 'tick'; to: 'on' | 'off' }
  | { src: 'operator'; type: 'redrive'; count: number }
  | { src: 'operator'; type: 'restored'; toMs: number };

/** What the auditor called lost of one job, and what it filed for it. */
export interface AuditRecord {
  src: 'auditor';
  type: 'repaired';
  /** `series`: the job had no pending entry. `history`: occurrences and executions had no end. */
  what: 'series' | 'history' | 'expectation';
  jobKey: string;
  /** Only for `history`: how many occurrences and executions it counted. */
  missed?: number;
  /** When its invocation began. */
  sinceMs: number;
  filed: readonly Entry[];
  /** Ids of the executions of the job that have a message in a queue. */
  queued: readonly string[];
}

/** A write that has landed although its stage had given it up. */
export interface GivenUpRecord {
  src: 'store';
  type: 'given-up';
  node: string;
  command: string;
  table: string;
  /**
   * `abort`: its signal has aborted. `answer`: its invocation has answered. `deadline`: an entry is due for
   * longer than its writer may take.
   */
  by: 'abort' | 'answer' | 'deadline';
  givenUpMs: number;
  /** When the try began that has landed. */
  begunMs: number;
}

/** What a service knows of an errand, by its name. */
export type ErrandRecord =
  | { src: 'errand'; type: 'start'; name: string; node: string; isNew: boolean }
  | { src: 'errand'; type: 'end'; name: string; how: string }
  /** `by`: the process of the watcher, for probes that were ordered. Those about events have no budget. */
  | { src: 'errand'; type: 'probe'; name: string; kind: string; seen: string; by?: number };

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
  /** Only for `frozen`: for how long. */
  forMs?: number;
}

/** From here on there are no faults. */
export interface HealRecord {
  src: 'run';
  type: 'healed';
}

/** What is left when the run has settled. */
export interface EndRecord {
  src: 'run';
  type: 'end';
  jobs: Job[];
  executions: Execution[];
  entries: Entry[];
  cursors: Cursor[];
  /** The active shard count. */
  shards: number;
  /** Visible messages, and how long the oldest of them has been visible. */
  queued: { count: number; oldestMs?: number };
  /** Without those that an executor had acknowledged: their work was done, and only deletes were lost. */
  deadLetters: number;
  /** Spans in the queue of the exporter, which the collector has not taken. */
  unsent?: readonly ReceivedSpan[] | undefined;
}

export type Happening =
  | ApiRecord
  | TargetBegin
  | TargetEnd
  | ReportRecord
  | TableRecord
  | EventRecord
  | IncidentRecord
  | PingRecord
  | OperatorRecord
  | AuditRecord
  | GivenUpRecord
  | ErrandRecord
  | QuotaRecord
  | ArchiveRecord
  | CollectorRecord
  | FaultRecord
  | StageRecord
  | HealRecord
  | EndRecord;

/** `n` counts from 0, `t` is the observer's wall clock in milliseconds. */
export type LogRecord = Happening & { n: number; t: number };

/** What the checker needs to know of the run. */
export interface LogConditions extends IncidentConditions {
  mode: 'safety' | 'liveness';
  /** The most that two clocks differ, unless `wildClocks`. */
  skewMs: number;
  /** Some clocks were far off. Then only leases, fences and refused results are promised. */
  wildClocks: boolean;
  /** Operators put these tables back to an earlier second: all three, or one of them alone. */
  restored?: 'jobs' | 'executions' | 'all';
  /** Executions at a time, of the concurrency keys that are there from the beginning. */
  limits?: Readonly<Record<string, number>>;
  /** Starts in a period, of those with a rate. */
  rates?: Readonly<Record<string, Rate>>;
  /** A pause that ends is on record from so long before. Absent: from its beginning. */
  pauseRecordedMs?: number;
  /** Where the spans of executions go. Absent: the deployment records no trace. */
  collector?: CollectorKind;
  /** From this virtual time on, each project has a notification. Absent: none has. */
  notifiedFromMs?: number;
  /** From then on, one tells of successes out of their bounds. Absent: none does. */
  pacedFromMs?: number;
  /** For a run in real time, which lasts minutes. Absent: the simulation's own. */
  patience?: Patience;
}

/** How long work may be open before it counts as broken. */
export interface Patience {
  /** An occurrence due this long before the end has begun, or has a reason. */
  settledMs: number;
  /** An execution ends within this time of its last change. */
  endsWithinMs: number;
  /** An occurrence this near to a change of its job may run or not. */
  changeMarginMs: number;
}

export interface SimulationLog {
  conditions: LogConditions;
  records: readonly LogRecord[];
}

/** The append-only log of a run. */
export class EventLog {
  readonly records: LogRecord[] = [];

  constructor(private readonly nowMs: () => number) {}

  add(happening: Happening): void {
    this.addUnchanging(copyOf(happening));
  }

  /** Adds what nothing changes afterwards, without a copy. */
  addUnchanging(happening: Happening): void {
    this.records.push({ n: this.records.length, t: this.nowMs(), ...happening });
  }
}
