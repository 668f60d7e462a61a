import type {
  AttemptRecord,
  Execution,
  ExecutionResult,
  DelegatedLease,
  Reason,
  Trigger,
} from '../domain/execution';
import type { UserRetry } from '../domain/user-retry';
import type { TerminalStatus } from '../domain/transitions';

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
   * Of several targets, each may report at any time: writes that decide on all of them hold only while the row has as
   * many records as were seen.
   */
  recordsSeen?: number;
}

export interface ClaimRequest extends ExecutionRef {
  trigger: Trigger;
  dueAtMs: number;
  /** Claimed only as new (attempt 1) or while waiting for exactly this attempt. */
  attempt: number;
  claimId: string;
  nowMs: number;
  orderingKey?: string;
  /** It holds its job's overlap lock. */
  occupiesJob?: true;
}

/** How an attempt, or an execution that waits, comes to its end. */
export interface Ending {
  status: TerminalStatus;
  reason?: Reason;
  result?: ExecutionResult;
  finishedAtMs: number;
  /** Seconds: end of retention. */
  expiresAtSec: number;
  blocksKey?: true;
  occupiesJob?: true;
}

export interface NextAttempt {
  attempt: number;
  startAtMs: number;
  failures: number;
  takeovers: number;
}

export type LeaseOutcome = 'done' | 'lease-lost';
/** `cancel-requested`: the lease still holds, and somebody wants the execution to end. */
export type HeartbeatOutcome = LeaseOutcome | 'cancel-requested';
/** `reported`: the target's own report came first, and has ended the attempt. */
export type DelegateOutcome = LeaseOutcome | 'reported';

/** The Executions table. A lost race is an outcome, never an error; one's own earlier success is recognised. */
export interface ExecutionStore {
  /**
   * One write: takes the lease with a rising fence if the row is absent (attempt 1) or waits (`queued`, `retrying`)
   * for exactly this attempt. `refused` carries the row where it is known without a further read.
   */
  claim(
    request: ClaimRequest,
  ): Promise<{ outcome: 'claimed'; execution: Execution } | { outcome: 'refused'; current?: Execution }>;
  /** A sign of life. One try, no SDK retries, own client; throws where no answer comes within 2 s. */
  heartbeat(lease: Lease, nowMs: number): Promise<HeartbeatOutcome>;
  /** Asks whoever runs the execution, under the fence seen, to end it as cancelled. */
  requestCancel(
    seen: Pick<Execution, 'jobKey' | 'execId' | 'fence'>,
    asked: { reason: Reason; atMs: number },
  ): Promise<LeaseOutcome>;
  /** Under one's lease: `running → retrying`. The entry of the next attempt must have been written before. */
  awaitRetry(lease: Lease, next: NextAttempt, records: readonly AttemptRecord[]): Promise<HeartbeatOutcome>;
  /**
   * Leaves one's lease to the target, which knows the claim by its token: same claim, same fence. The entry of the look
   * at its limit must have been written before.
   */
  delegateLease(
    lease: Lease,
    to: DelegatedLease,
    nowMs: number,
    records: readonly AttemptRecord[],
  ): Promise<DelegateOutcome>;
  /** Appends what one of several targets has reported, under its lease; the attempt goes on. */
  appendReport(lease: Lease, record: AttemptRecord): Promise<LeaseOutcome>;
  /** Takes a stale lease away, conditional on claim and heartbeat as seen: `running → retrying`. */
  takeOver(seen: Execution, next: NextAttempt, lost: readonly AttemptRecord[]): Promise<LeaseOutcome>;
  /**
   * Undoes an end, as seen: `failed | cancelled | skipped → retrying`, waiting for attempt 1. The entry of that attempt must
   * have been written before.
   */
  userRetry(seen: Execution, revival: UserRetry): Promise<LeaseOutcome>;
  /** Lets those behind a failed execution go on in its ordering key; `lease-lost` where it holds up nobody. */
  unblock(ref: ExecutionRef): Promise<LeaseOutcome>;
  /** Writes a manual run as `queued`, waiting for attempt 1. */
  putQueued(row: Execution): Promise<'written' | 'exists'>;
  /** Notes what an attempt said without a lease, whatever the execution has come to, unless `room` such are noted. */
  appendLateResult(ref: ExecutionRef, result: AttemptRecord, room: number): Promise<'kept' | 'no-room'>;
  /** Consistent. */
  get(ref: ExecutionRef): Promise<Execution | undefined>;
  /** Many rows; `unread` names (as `jobKey` + `#` + `execId`) what got no answer, `unreadable` rows that are no execution. */
  getMany(
    refs: readonly ExecutionRef[],
    options: { consistent: boolean },
  ): Promise<{ executions: Map<string, Execution>; unread: Set<string>; unreadable: Set<string> }>;
  /**
   * What many rows have come to, eventually consistent, by `executionMapKey`; rows without an answer are left out.
   * One call after another, with pauses: it gives way to all that is urgent.
   */
  getStatuses(refs: readonly ExecutionRef[]): Promise<Map<string, ExecutionStatusRow>>;
  /** Rows of one job by execId, `fromExecId` and `toExecId` both inclusive. */
  list(
    jobKey: string,
    page: { order: 'asc' | 'desc'; after?: string; fromExecId?: string; toExecId?: string; limit: number },
  ): Promise<{ executions: Execution[]; nextAfter?: string }>;
  /**
   * A user's failed and skipped executions over all jobs, newest due time first: `fromMs` inclusive, `toMs` exclusive,
   * eventually consistent. `after` is a position (`failureSortOf`). A page may be short, and still have a next one.
   */
  listFailures(
    userId: string,
    page: { fromMs: number; toMs: number; after?: string; limit: number },
  ): Promise<{ executions: Execution[]; nextAfter?: string }>;
}

/** What a status read returns: how the execution ended, and what its follow-ups derive from. */
export type ExecutionStatusRow = Pick<
  Execution,
  'status' | 'fence' | 'finishedAtMs' | 'orderingKey' | 'blocksKey' | 'occupiesJob' | 'reason' | 'skipped'
>;

export const executionMapKey = ({ jobKey, execId }: ExecutionRef): string => `${jobKey}#${execId}`;
