import type { ExecutionStatus } from './transitions';

export type Trigger = 'schedule' | 'manual' | 'catch-up';

/** Why an execution was skipped, failed or cancelled. */
export type Reason =
  | 'overlap'
  | 'misfire'
  | 'paused'
  | 'superseded'
  | 'deleted'
  | 'attempts-exhausted'
  | 'max-age'
  | 'fatal'
  | 'crashed'
  | 'blocked-target'
  | 'cancelled-by-user';

export type AttemptOutcome = 'succeeded' | 'retriable' | 'fatal' | 'lost' | 'cancelled';

/** One try, as kept on the execution's row once it has ended. */
export interface AttemptRecord {
  attempt: number;
  fence: number;
  startedAtMs: number;
  finishedAtMs: number;
  outcome: AttemptOutcome;
  /** Index into the job's targets. */
  target: number;
  statusCode?: number;
  error?: string;
}

/**
 * The lease of an attempt whose target answered 202: the target keeps it by its token. Each heartbeat keeps it for
 * `heartbeatWithinMs` more, none beyond `endsAtMs`.
 */
export interface DelegatedLease {
  heartbeatWithinMs: number;
  endsAtMs: number;
  /** Places of the targets that have accepted, where the job has several: the attempt goes on until all have reported. */
  targets?: readonly number[];
}

export interface ExecutionResult {
  statusCode?: number;
  /** The first 256 bytes of a success, 2 KB of a failure. */
  body?: string;
}

/**
 * A row of the Executions table. Key: `jobKey` (attribute `jobId`) / `execId`.
 * Written first by the claim, or as a finished row where an occurrence is skipped, or as `queued` for a manual run.
 */
export interface Execution {
  jobKey: string;
  execId: string;
  trigger: Trigger;
  dueAtMs: number;
  status: Exclude<ExecutionStatus, 'scheduled'>;
  reason?: Reason;
  /** The attempt that is running or waited for, from 1; starts again at 1 with a user's retry. */
  attempt: number;
  /** Attempts that ended with an answer against them; what `retry.maxAttempts` bounds. */
  failures: number;
  /** Attempts lost in a row without any answer; reset by each answer. */
  takeovers: number;
  /** Rises with every claim, through revivals too. 0 before the first. */
  fence: number;
  /** Id of the claim that holds the lease; only while `running`. */
  claimId?: string;
  /** Start of the running attempt. */
  claimedAtMs?: number;
  /** Last acknowledged sign of life of the running attempt (its claim counts as one). */
  heartbeatAtMs?: number;
  /** Only while `running`, once the target has answered 202. */
  delegatedTo?: DelegatedLease;
  /** Somebody wants the running attempt to end; its holder sees it at the next heartbeat. */
  cancelRequested?: { reason: Reason; atMs: number };
  /** Its user has asked to run it again after it had ended. */
  userRetried?: true;
  /** While `retrying` or `queued`: when the attempt waited for shall start. */
  startAtMs?: number;
  /** Start of the first attempt, and how late that was. */
  startedAtMs?: number;
  latenessMs?: number;
  finishedAtMs?: number;
  attempts: AttemptRecord[];
  /** Results of attempts that had lost their lease: they decide nothing, and are kept as far as there is room. */
  lateResults?: AttemptRecord[];
  result?: ExecutionResult;
  /** One row for neighbouring occurrences skipped for one reason. */
  skipped?: { fromMs: number; toMs: number; count: number };
  /** The key under which it was claimed, and keeps its place in line: that of a later edit does not move it. */
  orderingKey?: string;
  /** It held its job's overlap lock when it was claimed: its end releases the lock. */
  occupiesJob?: true;
  /** Failed, and nothing else of its ordering key goes on until somebody has seen to it. */
  blocksKey?: true;
  /** Of a manual run, or a retry by the API, that a delivery led to: how many stand in the chain before its own. */
  deliveryDepth?: number;
  /** Payload of a manual run that overrides the job's, as `{ value }`. */
  payload?: { value: unknown };
  expiresAtSec?: number;
}

/** What is told of an execution that has ended. */
export type EndedExecution = Pick<
  Execution,
  'jobKey' | 'execId' | 'status' | 'reason' | 'finishedAtMs' | 'fence' | 'skipped'
>;
