import type { EventCause } from '../domain/cause';
import type {
  AttemptRecord,
  DelegatedLease,
  Execution,
  ExecutionResult,
  Progress,
  Trigger,
} from '../domain/execution';
import type { FollowUpSource } from '../domain/follow-ups';
import type { Reason } from '../domain/reason';
import type { UserRetry } from '../domain/user-retry';
import type { TerminalStatus } from '../domain/transitions';
import type { FailureRows, FailuresPage } from './failures-page';
import type { HeldWrite, WriteOptions } from './write-options';

export interface ExecutionRef {
  jobKey: string;
  execId: string;
}

/** Proof of a claim: every write of an attempt is conditional on it. */
export interface Lease extends ExecutionRef {
  claimId: string;
  fence: number;
  attempt: number;
  /**
   * Only with several targets, because each may report at any time. A write that decides on all of them then
   * holds only while the row has as many records as were seen.
   */
  recordsSeen?: number;
}

export interface ClaimRequest extends ExecutionRef, Pick<Execution, 'trace'> {
  trigger: Trigger;
  dueAtMs: number;
  /** Only of a child: lateness counts from here. */
  askedAtMs?: number | undefined;
  /**
   * The claim succeeds if the row is new (attempt 1), or waits for exactly this attempt, in the same life,
   * and may start by `nowMs`.
   */
  attempt: number;
  claimId: string;
  nowMs: number;
  orderingKey?: string;
  /** It holds a slot of this key. */
  concurrencyKey?: string;
  /** It holds its job's overlap lock. */
  occupiesJob?: true;
  /** How often the user had retried the execution when the message was made: another life is not claimed. */
  userRetries?: number;
  /** How often a manual run had been moved then: one that was moved since is not claimed. */
  timesMoved?: number | undefined;
  /** The job's revision by which a dispatch sent the message. The first claim of a row writes it. */
  revision?: string;
  /** Only of a task: what its row keeps for its next attempts. */
  lane?: Execution['lane'];
  runEndsAtMs?: number;
  /** Only of a worker, which has the lease from the claim on. */
  delegatedTo?: DelegatedLease;
  worker?: string;
  /** Only of a worker: the work queue from which it claims. */
  detail?: Execution['detail'];
  /** Present if the attempt may start an errand: what its name begins with. */
  openErrand?: string;
  /** Only of a task: its first claim has the fence after this one. @default 0 */
  fenceBase?: number;
}

/** How a running or waiting execution ends. */
export interface Ending extends Pick<Execution, 'runTags' | 'externalId' | 'tagsLeftOut'> {
  status: TerminalStatus;
  reason?: Reason;
  result?: ExecutionResult;
  failedTask?: Execution['failedTask'];
  output?: string;
  ping?: Execution['ping'];
  finishedAtMs: number;
  /** Seconds: end of retention. */
  expiresAtSec: number;
  blocksKey?: true;
  occupiesJob?: true;
  awaited?: true;
  watched?: true;
  pace?: Execution['pace'];
  concurrencyKey?: string;
  /** Present if the job has not changed since it planned the execution. */
  generation?: number;
  detail?: Execution['detail'];
  /** Present if a user ended it. */
  userRequest?: Execution['userRequest'];
  /** Present if an errand of it has been seen to end: how many have. */
  errands?: number;
}

export interface CancelRequest {
  reason: Reason;
  atMs: number;
  /** Only for a run: its finally tasks end too. */
  force?: true;
  /** Present if a user makes it. It is kept whatever becomes of the execution. */
  userRequest?: Execution['userRequest'];
}

export interface NextAttempt {
  attempt: number;
  startAtMs: number;
  failures: number;
  takeovers: number;
  /** How often in a row workers have given it back. Absent: it was not given back now. */
  releases?: number;
  /** Present if an errand of the attempt has been seen to end: how many have. */
  errands?: number;
  /** Present if the pause of its job holds it: since when, and how often it was moved by now. */
  heldAtMs?: number;
  timesMoved?: number;
}

/** An execution whose end has to wait for an errand: what the watcher gets. */
export interface ToErrand {
  /** The watcher's lease. */
  claimId: string;
  delegatedTo: DelegatedLease;
  nowMs: number;
  /** What the attempt before adds to the history. */
  records: readonly AttemptRecord[];
  /** Whether its lease is stale: its heartbeat must not have moved since. */
  isStale: boolean;
  detail?: Execution['detail'] | undefined;
  userRequest?: Execution['userRequest'] | undefined;
}

/** What every move of a run changes, before it has started. */
interface MovedFields extends Pick<Execution, 'payload' | 'runTags' | 'externalId'> {
  /** Also its due time from now on. */
  startAtMs: number;
}

/** What a later event changes of a run that has not started. */
export interface MovedRun extends MovedFields, Pick<Execution, 'jobCreatedAtMs'> {
  cause: EventCause;
}

/** What a user changes of a delayed run that has not started. What is undefined is removed. */
export type ReplacedRun = Pick<
  Execution,
  | 'delayedOf'
  | 'hasParams'
  | 'paramsId'
  | 'keyTtlMs'
  | 'priority'
  | 'tags'
  | 'userRequest'
  | 'deliveryDepth'
  | 'trace'
> &
  MovedFields;

export type LeaseOutcome = 'done' | 'lease-lost';
/** `cancel-requested`: the lease still holds, and the execution shall end. */
export type HeartbeatOutcome = LeaseOutcome | 'cancel-requested';
/** `reported`: the target's own report came first and ended the attempt. */
export type DelegateOutcome = LeaseOutcome | 'reported';

/**
 * The Executions table. A lost race is an outcome, never an error. Each write recognises its own success if
 * the answer to an earlier try was lost.
 */
export interface ExecutionStore {
  /**
   * One write: acquires the lease under a higher fence, if the row is absent (attempt 1) or waits (`queued`,
   * `retrying`) for exactly this attempt. `refused` has the row if it is known without a further read.
   */
  claim(
    request: ClaimRequest,
    options?: HeldWrite,
  ): Promise<{ outcome: 'claimed'; execution: Execution } | { outcome: 'refused'; current?: Execution }>;
  /**
   * Extends the lease, and keeps the progress that it brings. One try by a client of its own. Throws
   * `WriteTimeoutError` without an answer within 2 s.
   */
  heartbeat(lease: Lease, nowMs: number, progress?: Progress): Promise<HeartbeatOutcome>;
  /** Keeps the progress of an attempt, and extends nothing. The row afterwards, as it is; undefined: none. */
  keepProgress(lease: Lease, progress: Progress): Promise<Execution | undefined>;
  /** Requests that the holder under the fence seen ends the execution as cancelled. */
  requestCancel(
    seen: Pick<Execution, 'jobKey' | 'execId' | 'fence'>,
    request: CancelRequest,
  ): Promise<LeaseOutcome>;
  /** Under the lease: `running → retrying`. The entry of the next attempt must be written before. */
  awaitRetry(lease: Lease, next: NextAttempt, records: readonly AttemptRecord[]): Promise<HeartbeatOutcome>;
  /**
   * Delegates the lease to the target, which knows the claim by its token: same claim, same fence. The entry
   * for the recheck at its limit must be written before.
   */
  delegateLease(
    lease: Lease,
    to: DelegatedLease,
    nowMs: number,
    records: readonly AttemptRecord[],
  ): Promise<DelegateOutcome>;
  /**
   * Delegates the lease of an execution to the watcher, in place of an end, if status, fence and attempt are
   * as seen. The entry of a recheck must be written before.
   */
  leaveToErrand(seen: Execution, to: ToErrand): Promise<LeaseOutcome>;
  /** Appends the report of one of several targets, under the lease. The attempt goes on. */
  appendReport(lease: Lease, record: AttemptRecord): Promise<LeaseOutcome>;
  /** Takes over a stale lease, if claim and heartbeat are as seen: `running → retrying`. */
  takeOver(seen: Execution, next: NextAttempt, lost: readonly AttemptRecord[]): Promise<LeaseOutcome>;
  /**
   * Undoes an end, if it is as seen: `failed | cancelled | skipped → retrying`, waiting for attempt 1. The
   * entry of that attempt must be written before.
   */
  userRetry(seen: Execution, retry: UserRetry, options?: WriteOptions): Promise<LeaseOutcome>;
  /** Stops a failed execution from blocking its ordering key. `lease-lost` if it does not block the key. */
  unblock(ref: ExecutionRef): Promise<LeaseOutcome>;
  /** Marks a row as inside the skipped range that covers its occurrence: the row does not end that range. */
  markInsideRange(ref: ExecutionRef): Promise<void>;
  /** Writes a manual run, or one that a cause starts, as `queued`, waiting for attempt 1. */
  putQueued(row: Execution, options?: WriteOptions): Promise<'written' | 'exists'>;
  /**
   * Moves a run that was never claimed to a later start. The entry of that start must be written before.
   * `lease-lost`: it has been claimed or has ended, starts later already, or does not exist. Else: its row.
   */
  moveQueued(ref: ExecutionRef, moved: MovedRun, options?: WriteOptions): Promise<Execution | 'lease-lost'>;
  /**
   * Moves a delayed run, before its first attempt, to another time, and changes what it was asked for. The
   * entry of that time must be written before. `lease-lost`: it has started or ended, or was moved meanwhile.
   */
  replaceDelayed(seen: Execution, to: ReplacedRun, options?: WriteOptions): Promise<LeaseOutcome>;
  /**
   * Suspends a delayed run whose job is paused, before its first attempt. Its next entry must be written
   * before.
   */
  suspend(seen: Execution, heldAtMs: number): Promise<LeaseOutcome>;
  /** Lets a held run start at that time. */
  releaseHeld(seen: Execution, startAtMs: number): Promise<LeaseOutcome>;
  /** Frees the key of a run that has ended as seen: from then on no user may retry it. */
  freeKey(seen: Execution): Promise<LeaseOutcome>;
  /** Appends the result of an attempt without a lease, in any status, unless `room` of them are there. */
  appendLateResult(ref: ExecutionRef, result: AttemptRecord, room: number): Promise<'kept' | 'no-room'>;
  /** Consistent. */
  get(ref: ExecutionRef): Promise<Execution | undefined>;
  /**
   * Many rows by `executionMapKey`. `unread` has the keys without an answer, `unreadable` those whose rows
   * are no execution. A row that is in none of the three does not exist.
   */
  getMany(
    refs: readonly ExecutionRef[],
    options: { consistent: boolean },
  ): Promise<{ executions: Map<string, Execution>; unread: Set<string>; unreadable: Set<string> }>;
  /**
   * The status of many rows by `executionMapKey`, eventually consistent. Rows without an answer are left out.
   * The calls are sequential with pauses between, so that urgent work goes first.
   */
  getStatuses(refs: readonly ExecutionRef[]): Promise<Map<string, ExecutionStatusRow>>;
  /** Rows of one job by execId. `fromExecId` and `toExecId` are both inclusive. */
  list(
    jobKey: string,
    page: { order: 'asc' | 'desc'; after?: string; fromExecId?: string; toExecId?: string; limit: number },
  ): Promise<{ executions: Execution[]; nextAfter?: string }>;
  /**
   * A project's failed and skipped executions over all jobs, newest due time first by default: eventually
   * consistent. A short page may still have a next one.
   */
  listFailures(userId: string, page: FailuresPage): Promise<FailureRows>;
}

/** What a status read returns: how the execution ended, and what its follow-ups derive from. */
export type ExecutionStatusRow = FollowUpSource &
  Pick<
    Execution,
    'dueAtMs' | 'fence' | 'finishedAtMs' | 'watched' | 'pace' | 'reason' | 'skipped' | 'revision'
  >;

/**
 * Whether the lease still holds the row: it is running, and no other claim was made since. The condition
 * `underLease` says the same in DynamoDB.
 */
export const holdsLease = (
  { status, claimId, fence }: Pick<Execution, 'status' | 'claimId' | 'fence'>,
  lease: Pick<Lease, 'claimId' | 'fence'>,
): boolean => status === 'running' && claimId === lease.claimId && fence === lease.fence;

/** Key of an execution in maps and sets. */
export const executionMapKey = ({ jobKey, execId }: ExecutionRef): string => `${jobKey}#${execId}`;
