import type { TERMINAL_STATUSES } from './execution-statuses';

/**
 * Lifecycle events report how executions end, and that a task waits for a user. They are published on the
 * deployment's event bus with this `source`, a `detail-type` of `LIFECYCLE_TYPES` and a `detail` as below.
 * Fields and types are only ever added.
 */
export const EVENT_SOURCE = 'quarterjack';

/** Sources that receivers trust to be AWS, or the lifecycle events of this deployment. */
export const isReservedSource = (source: string): boolean =>
  source.startsWith('aws.') || source === EVENT_SOURCE || source.startsWith(`${EVENT_SOURCE}.`);

const LIFECYCLE_TYPES = [
  /** The execution succeeded. */
  'execution.completed',
  /** The execution failed without a retry: a fatal result, or a target that is not allowed. */
  'execution.failed',
  /** The execution failed because its attempts, its time or its takeovers are used up. */
  'execution.exhausted',
  'execution.skipped',
  'execution.cancelled',
  /** A task of a run succeeded. */
  'task.completed',
  /** A task of a run failed, after its retries if it has any. */
  'task.failed',
  /** A task of a run waits for its approval. */
  'task.waiting',
] as const;
export type LifecycleType = (typeof LIFECYCLE_TYPES)[number];

/**
 * Which events are published. `failures` has ends that no user asked for and what waits for a user. It costs
 * nothing for a success.
 */
export const LIFECYCLE_CHOICES = ['off', 'failures', 'all'] as const;
export type LifecycleChoice = (typeof LIFECYCLE_CHOICES)[number];

/** How the tasks of a run ended. */
export interface RunOutcome {
  /** Ids of tasks that failed or were cancelled, and whose failure counts; the first twenty by id. */
  failedTasks: readonly string[];
  /** How many tasks ended with each status, those that never ran included. */
  counts: Readonly<Record<string, number>>;
}

/** The body of an event of an end. Instants are RFC 3339 in UTC. */
export interface LifecycleDetail {
  version: 1;
  /** A repeated event has the same id, so a receiver can ignore it. */
  id: string;
  userId: string;
  jobId: string;
  /** In a task's event, that of its run. */
  execId: string;
  status: (typeof TERMINAL_STATUSES)[number];
  /** As in the API: `attempts-exhausted`, `misfire`, … */
  reason: string | null;
  /** Due time of the occurrence, or time of the request for a manual run. */
  dueAt: string;
  finishedAt: string;
  /** Number of claims; 0 if the execution never ran. */
  fence: number;
  /** The range, if one record covers several consecutive occurrences. */
  skipped: { from: string; to: string; count: number } | null;
  /** Only of a run that has started. Absent if the event is published again after a crash. */
  workflow?: RunOutcome;
  /** Only of a task's event. */
  task?: EventTask;
  /** Only of a child: the task that started it. */
  parent?: { jobId: string; execId: string; taskId: string };
}

/** The task of a run. `round`: 1, unless a user opened the task again. */
export interface EventTask {
  taskId: string;
  round: number;
}

/** The body of `task.waiting`. */
export interface WaitingDetail {
  version: 1;
  /** A repeated event has the same id, so a receiver can ignore it. */
  id: string;
  userId: string;
  jobId: string;
  /** The run. */
  execId: string;
  task: EventTask;
  /** When the approval became due. */
  since: string;
  /** When its time is over; null if it has no end. */
  until: string | null;
}
