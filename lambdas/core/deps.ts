import type { Random } from './clock/random';
import type { Clock } from './clock/clock';
import type { ExecutionQueue } from './queue/execution-queue';
import type { ExecutionMessage, LimitedMessage, OrderedMessage } from './contracts/messages';
import type { Admission } from './domain/admission';
import type { EndContext, EndedExecution, EndedRow } from './domain/ended';
import type { RunLabels } from './domain/run-labels';
import type { AttemptRecord, Execution, ParentTask, Run } from './domain/execution';
import type { Reason } from './domain/reason';
import type { Job } from './domain/job';
import type { TakenByRun, ToDeliver } from './domain/to-deliver';
import type { TerminalStatus } from './domain/transitions';
import type { AlertStore } from './store/alert-store';
import type { Alerting } from './store/alerting';
import type { AwaitStore } from './store/await-store';
import type { CalendarStore } from './store/calendar-store';
import type { ChangeStore } from './store/change-store';
import type { ConcurrencyStore } from './store/concurrency-store';
import type { ErrandStore } from './store/errand-store';
import type { ExecutionEnds } from './store/execution-ends';
import type { ExecutionStore } from './store/execution-store';
import type { FanOutStore } from './store/fan-out-store';
import type { FlowStore } from './store/flow-store';
import type { LeaseHandle } from './store/lease-handle';
import type { LiveRuns } from './store/live-runs';
import type { OverlapLockStore } from './store/overlap-lock-store';
import type { JobStore } from './store/job-store';
import type { OrderingStore } from './store/ordering-store';
import type { RunInputStore } from './store/run-input-store';
import type { RunStore } from './store/run-store';
import type { ScheduleStore } from './store/schedule-store';
import type { UsageStore } from './store/usage-store';
import type { UsesStore } from './store/uses-store';
import type { WorkStore } from './store/work-store';
import type { Waiting, WaitingStore } from './store/waiting-store';
import type { Log, Meter } from './telemetry/telemetry';

/** The number of shards that writers use now. */
export type ActiveShardCount = () => Promise<number>;

/** Whether the deployment is in maintenance mode. */
export type InMaintenance = () => Promise<boolean>;

/**
 * What must follow ends. The code that ends an execution says so here, and does not know who listens. Callers
 * give their own `deps`, of which some were replaced since they were composed. Repeating it does no harm.
 */
export interface FollowUps {
  /**
   * Follows one end. What fails is left to the next recheck. The sweeper's own recheck fails instead, so that
   * its cursor does not pass the entry.
   */
  afterOne(ended: EndedRow, context: EndContext, deps: StageDeps): Promise<void>;
  /**
   * Follows several ends that the sweeper has seen, none of them of a task. One that fails stops no other.
   *
   * @returns the ends whose follow-ups failed, with the reason
   */
  afterPage(ended: readonly EndedRow[], deps: StageDeps): Promise<ReadonlyMap<EndedRow, unknown>>;
}

/** What attempts ask of the gates. Callers give their own `deps`. Repeating each does no harm. */
export interface Gates {
  /** Whether there is a gate that the execution has to pass. */
  concern(message: ExecutionMessage): boolean;
  /** Asks each gate in turn, before the claim. */
  admit(message: ExecutionMessage, deps: StageDeps): Promise<Admission>;
  /** Releases the slot that a message may have taken. */
  releaseSlot(message: LimitedMessage, deps: StageDeps): Promise<void>;
  /** Releases the place that a message may have in its ordering queue. */
  releaseOrderingKey(message: OrderedMessage, deps: StageDeps): Promise<void>;
}

/** A claimed execution, and its lease. */
export interface HeldExecution {
  execution: Execution;
  handle: Pick<LeaseHandle, 'lease' | 'write'>;
}

/** What attempts ask of workflows: they know no run but as that of a task. Callers give their own `deps`. */
export interface Workflows {
  /**
   * The job by which an execution is delivered, retried and taken over: of a task, the task as a job, and its
   * run. `job` undefined: the job is deleted, or the run is gone.
   */
  deliveredBy(
    execution: Pick<Execution, 'jobKey' | 'execId'>,
    job: Job | undefined,
    deps: Pick<StageDeps, 'executions' | 'flows'>,
  ): Promise<{ job: Job | undefined; run?: Run }>;
  /** What a claimed task leads to, by its run and its job as they are now. Writes nothing. */
  taskToDeliver(
    execution: Execution,
    read: { job: Job | undefined; run: Execution | undefined },
    deps: StageDeps,
  ): Promise<ToDeliver>;
  /** Whether the run above a child has not stopped. */
  isWanted(parent: ParentTask, deps: StageDeps): Promise<boolean>;
  /** Makes a claimed execution a run, in place of calling targets. */
  start(held: HeldExecution, job: Job, deps: StageDeps): Promise<TakenByRun>;
  /** Gives a claimed task back to its run, which is paused. */
  requeue(held: HeldExecution, run: Run, deps: StageDeps): Promise<TakenByRun>;
  /** Goes on with a run, which obeys a request to cancel it, or stops because its job is gone. */
  goOn(run: Run, how: { jobGone?: true }, deps: StageDeps): Promise<void>;
  /** Goes on with a run to which a message came after its start. */
  beginDue(run: Run, deps: StageDeps): Promise<void>;
}

/** The end of an execution that may have an open errand. */
export interface EndOnErrand {
  execution: Execution;
  end: { status: TerminalStatus; reason?: Reason; records?: readonly AttemptRecord[] } & Pick<
    Execution,
    'detail' | 'userRequest'
  >;
  /** Its lease is stale. */
  isStale: boolean;
}

/** What every stage that dispatches works with. `compose` makes it. */
export interface StageDeps {
  jobs: JobStore;
  executions: ExecutionStore;
  /** For `core/ending` alone. */
  ends: ExecutionEnds;
  followUps: FollowUps;
  gates: Gates;
  workflows: Workflows;
  /** What an execution that ends is found by: what its request says, and the templates of its job. */
  labelsOf(execution: Execution, job: Job): RunLabels;
  /** Whether an end that no recheck would find soon has to be rechecked soon. It is asked before the end. */
  needsRecheckSoon(ended: EndedExecution, deps: Pick<StageDeps, 'alerting'>): Promise<boolean>;
  /** Publishes the end of an execution as a lifecycle event. Returns at once and never throws. */
  publishEnd(ended: EndedExecution): void;
  /** Publishes that an approval has become due. Returns at once and never throws. */
  publishWaiting(waiting: Waiting): void;
  errands: ErrandStore;
  /** Leaves an end to the watcher if an errand of the execution may run: it has to be seen to end first. */
  leaveEnd(left: EndOnErrand, deps: StageDeps): Promise<boolean>;
  runs: RunStore;
  flows: FlowStore;
  runInputs: RunInputStore;
  fanOuts: FanOutStore;
  waiting: WaitingStore;
  awaits: AwaitStore;
  overlapLocks: OverlapLockStore;
  ordering: OrderingStore;
  alerts: AlertStore;
  alerting: Alerting;
  /** The states that jobs had before their changes. */
  changes: ChangeStore;
  calendars: Pick<CalendarStore, 'get' | 'calendarOf'>;
  concurrency: ConcurrencyStore;
  schedule: ScheduleStore;
  work: WorkStore;
  /** Which jobs wait for an end or an event. */
  uses: Pick<UsesStore, 'list'>;
  usage: Pick<UsageStore, 'addRates'>;
  liveRuns: LiveRuns;
  queue: ExecutionQueue;
  clock: Clock;
  random: Random;
  shardCount: ActiveShardCount;
  inMaintenance: InMaintenance;
  log: Log;
  meter: Meter;
  /** How long a finished execution stays readable. */
  retentionDays: number;
  /** The scanner dispatches buckets that begin up to this far ahead. */
  horizonMs: number;
}
