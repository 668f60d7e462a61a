import type { Actor } from './actor';
import type { AskedRun } from './asked-run';
import type { Cause } from './cause';
import type { Errand, PastErrand } from './errand';
import type { Job, MisfirePolicy } from './job';
import type { PingRecord } from './ping';
import type { Reason } from './reason';
import type { SendLane } from './send-lane';
import type { Pace } from './timing';
import type { ExecutionStatus } from './transitions';
import type { Backfill, BackfillOverlap } from './workflow/backfill';
import type { ItemCounts, RunState } from './workflow/run-state';

type OtherTrigger = 'manual' | 'after' | 'event' | 'workflow' | 'backfill' | 'task' | 'ping';
export type Trigger = 'schedule' | 'catch-up' | OtherTrigger;

/** Whether the execution is that of a planned occurrence. */
export const isPlanned = (trigger: Trigger): boolean => trigger === 'schedule' || trigger === 'catch-up';

/** Whether a backfill has started it for one due time: a date. The run of the backfill is none. */
export const isDate = ({ trigger, backfill }: Pick<Execution, 'trigger' | 'backfill'>): boolean =>
  trigger === 'backfill' && backfill === undefined;

/** Whether it is for an occurrence of its job's schedule: one that was planned, or a date. */
export const isOfOccurrence = (execution: Pick<Execution, 'trigger' | 'backfill'>): boolean =>
  isPlanned(execution.trigger) || isDate(execution);

/**
 * Whether a user asked for it, or a run that a user wants: it runs also while its job is paused. A delayed
 * run does not, unless a user retries it.
 */
export const isAskedFor = ({
  trigger,
  delayedOf,
  userRetries,
}: Pick<Execution, 'trigger' | 'delayedOf' | 'userRetries'>): boolean =>
  (trigger === 'manual' && (delayedOf === undefined || userRetries !== undefined)) ||
  trigger === 'workflow' ||
  trigger === 'backfill';

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
  /** Name of the worker that made the attempt, if it gave one. */
  worker?: string;
  /** Its worker sent nothing after the claim: the execution may never have reached that worker. */
  unheard?: true;
  /** Host of the HTTP target that failed, by the job as it was when the attempt ended. */
  host?: string;
  /** What an AWS service has done for the attempt. */
  errand?: PastErrand;
}

/**
 * The lease of an attempt whose target responded 202, or which a worker has claimed: the holder of its token
 * extends it. Each heartbeat extends it by `heartbeatWithinMs`, and none beyond `endsAtMs`.
 */
export interface DelegatedLease {
  heartbeatWithinMs: number;
  endsAtMs: number;
  /** A worker has it: its silence is a lost attempt, not a failed one. */
  toWorker?: true;
  /** Only of a monitor: a ping has said that its job has started, and another one ends it. */
  byPing?: true;
  /**
   * Indexes of the targets that have accepted, if the job has several. The attempt continues until all of
   * them have reported.
   */
  targets?: readonly number[];
  /** The target works as an errand: the watcher learns how it ends. The sweeper takes no such lease over. */
  errand?: Errand;
}

/** Neighbours that were skipped for one reason: the first and the last due time, and at most 100,000. */
export interface SkippedRange {
  fromMs: number;
  toMs: number;
  count: number;
}

export interface ExecutionResult {
  statusCode?: number;
  /** The first 256 bytes of a success, or 2 KB of a failure. */
  body?: string;
}

/** What is known of a skip or cancellation beyond its reason, and where a worker gets it from. */
export interface SkipDetail {
  /** `overlap`: the execution of the job that had not ended, or the one that took its place. */
  heldBy?: string;
  /** `misfire`: when the occurrences were found, and the grace and policy that decided. */
  foundAtMs?: number;
  graceMs?: number;
  policy?: MisfirePolicy;
  /** For a worker: where it waits or waited, and since when. The claim and a `queued` row say so too. */
  queue?: string;
  offeredAtMs?: number;
  /** `paused`: who paused the job, and what the actor wrote. */
  by?: Actor;
  note?: string;
}

/** How far an attempt is, as its target or worker has last said. */
export interface Progress {
  /** From 0 to 1. */
  value: number;
  text?: string;
  atMs: number;
}

/** Who acted on an execution, and what the actor wrote about it. */
export interface UserRequest {
  by: Actor;
  note?: string;
}

/** The task of a run that started a child execution. */
export interface ParentTask {
  jobKey: string;
  /** execId of the run. */
  execId: string;
  task: string;
  /** The round of the task for which the child has started last. */
  round: number;
  /** Only of a fan-out: the index of the item that started it. */
  item?: number;
  /** Only of a backfill: whether the child acquires its job's overlap lock. */
  overlap?: BackfillOverlap;
  /** Another task of the run reads what the child returns. */
  keepsOutput?: true;
  /** Only if the task has a `timeout`: when the child has taken too long, counted from its present start. */
  untilMs?: number;
  /** What a run above it holds until the child has ended. */
  orderingKey?: string;
  concurrencyKey?: string;
  /** A user has retried the child: it passes the gates of its job, and the run may have ended. */
  ownGates?: true;
}

/**
 * A row of the Executions table. Key: `jobKey` (attribute `jobId`) / `execId`.
 * The claim writes it first; a skip writes a finished row, and a manual run or a cause a `queued` one.
 */
export interface Execution extends AskedRun {
  jobKey: string;
  execId: string;
  trigger: Trigger;
  dueAtMs: number;
  status: Exclude<ExecutionStatus, 'scheduled'>;
  reason?: Reason;
  /** The attempt that runs, or runs next, from 1. A user retry starts again at 1. */
  attempt: number;
  /** Attempts that ended with a failure result; what `retry.maxAttempts` bounds. */
  failures: number;
  /** Attempts lost in a row without any result; each result resets it. */
  takeovers: number;
  /** Rises with every claim, also across user retries. 0 before the first. */
  fence: number;
  /** Id of the claim that holds the lease; only while `running`. */
  claimId?: string;
  /** Start of the running attempt. */
  claimedAtMs?: number;
  /** Last acknowledged heartbeat of the running attempt; its claim counts as one. */
  heartbeatAtMs?: number;
  /** How far its last attempt is, if that has said so. The next claim removes it. */
  progress?: Progress;
  /** Only while `running`, once the target has responded 202, or if a worker has claimed it. */
  delegatedTo?: DelegatedLease;
  /** From a claim that may start an errand until it has been seen to end: what its name begins with. */
  openErrand?: string;
  /** How many of its errands have been seen to end. Absent: none. */
  errands?: number;
  /** Only while `running`: name of the worker that has claimed it, if it gave one. */
  worker?: string;
  /** How often in a row workers have given it back before they began. Absent: not at all. */
  releases?: number;
  /** The running attempt shall end. The executor sees it at its next heartbeat. */
  cancelRequested?: {
    reason: Reason;
    atMs: number;
    /** Only for a run: its finally tasks end too. */
    force?: true;
  };
  /** The request of a user that last started, retried or cancelled it. Absent: none did. */
  userRequest?: UserRequest;
  /** How often its user has run it again after its end. Absent: never. */
  userRetries?: number;
  /**
   * The job's revision that planned it, by the message of its first claim. Absent, or `''`: no message of a
   * dispatch was claimed.
   */
  revision?: string;
  /** The job's generation that planned it. Absent while it runs, and if the job changed meanwhile. */
  generation?: number;
  /** While `retrying` or `queued`: when the next attempt shall start. */
  startAtMs?: number;
  /** Start of the first attempt, and its lateness. */
  startedAtMs?: number;
  latenessMs?: number;
  finishedAtMs?: number;
  attempts: AttemptRecord[];
  /** Results of attempts that had lost their lease. They decide nothing, and are kept while there is room. */
  lateResults?: AttemptRecord[];
  result?: ExecutionResult;
  ping?: PingRecord;
  /** Only of a run that a task has failed: the one that failed first. */
  failedTask?: FailedTask;
  /** Only of a task whose output is kept, and of a run with an output: a JSON value, as text. */
  output?: string;
  /** Only of a fan-out: how its items have ended. */
  items?: ItemCounts;
  /** Only of a run: its parameters were given with the request that started it. They have a row. */
  hasParams?: true;
  /** Present if the row was written as skipped: the occurrences that it covers. */
  skipped?: SkippedRange;
  /** Present if it was skipped or cancelled, and more is known than the reason; and if it is for workers. */
  detail?: SkipDetail;
  /** A skipped range had covered it when this row was written: the row does not end that range. */
  insideRange?: true;
  /**
   * The ordering key under which it was claimed; of a run and a date, under which it waits. It keeps its
   * ticket there: a later edit of the job does not move it.
   */
  orderingKey?: string;
  /** It held its job's overlap lock when it was claimed: its end releases the lock. */
  occupiesJob?: true;
  /** Its job had `onEnd` or `pauseAfter` when it ended. */
  watched?: true;
  /** It succeeded, and took longer or less long than its job expected then. */
  pace?: Pace;
  /** The concurrency key of which it held a slot when it was claimed: its end releases the slot. */
  concurrencyKey?: string;
  /** It failed, and its ordering key is blocked until its user intervenes. */
  blocksKey?: true;
  /** Only of a child: the task that started it and waits for its end. */
  parent?: ParentTask;
  /** Only of a child: the jobIds above it, the topmost first. */
  ancestors?: readonly string[];
  /** Only of a child: when it was started. Its ages count from here, as its due time is that of its run. */
  askedAtMs?: number;
  /** What started it, if its trigger is `after` or `event`. */
  cause?: Cause;
  /** Other jobs may wait for this end: it has follow-ups. */
  awaited?: true;
  /** Present if a delivery led to this run or user retry: the number of deliveries before it. */
  deliveryDepth?: number;
  /** Payload of a manual run or an event, instead of the job's, as `{ value }`. */
  payload?: { value: unknown };
  /** Only of a backfill: what was asked for. It passes no gate, and starts as a run. */
  backfill?: Backfill;
  /** Present once an execution of a job with a workflow, or a backfill, has started: it is a run. */
  run?: RunState;
  /** Only for a task, and for a child of a backfill: the queue of its messages. */
  lane?: SendLane;
  /** Only for a task: the end of its run's time. Its row is kept until then. */
  runEndsAtMs?: number;
  expiresAtSec?: number;
}

/** How a task of a run has failed: its last failure, and the line of the response that says why. */
export interface FailedTask extends Pick<Execution, 'attempts' | 'result'> {
  taskId: string;
}

/** An execution that has started as a run. */
export type Run = Execution & { run: RunState };

/** What the row of an execution says before its first claim, and for good if it ends without one. */
export const NEVER_CLAIMED = { attempt: 1, failures: 0, takeovers: 0, fence: 0, attempts: [] };

/** From when on the ages of an execution count: its retries end, and its lateness begins. */
export const ageSinceMs = ({ dueAtMs, askedAtMs }: Pick<Execution, 'dueAtMs' | 'askedAtMs'>): number =>
  askedAtMs ?? dueAtMs;

/** How many attempts have ended. */
export const attemptsOf = ({ attempts }: Pick<Execution, 'attempts'>): number =>
  new Set(attempts.map(({ fence }) => fence)).size;

/** How many of its errands have been seen to end: a part of the name of the next one. */
export const errandsOf = ({ errands = 0 }: Pick<Execution, 'errands'>): number => errands;

/** What its targets get: the payload of the request that started it or, without one, that of its job. */
export const payloadOf = ({ payload }: Pick<Execution, 'payload'>, job: Pick<Job, 'payload'>): unknown =>
  payload ? payload.value : job.payload;

export const isRun = (execution: Execution): execution is Run => execution.run !== undefined;
