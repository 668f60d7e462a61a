import type { Priority } from '../../contracts/pools';
import type { Actor } from '../actor';

/** Why a run stops before its tasks are through. */
export type StopReason = 'task-failed' | 'timed-out' | 'cancelled-by-user' | 'overlap' | 'deleted';

/** The outcome of the other tasks, by which finally tasks go. */
export type MainOutcome = 'succeeded' | 'failed' | 'cancelled';

/** From here on no further task starts, except finally tasks. */
export interface RunStop {
  why: StopReason;
  atMs: number;
  /** Keys of the tasks that may have been sent before, joined by `.`: each of them needs its mark. */
  open: string;
  /** Finally tasks are stopped too. */
  force?: true;
  /** Present if all other tasks were settled before: finally tasks go by this outcome. */
  seen?: MainOutcome;
  /** The reason of that outcome, unless it succeeded. */
  seenWhy?: StopReason;
}

/**
 * What an execution of a job with a workflow has decided so far: attribute `run` of its row. Maps are keyed
 * by the task's index in base 36.
 */
export interface RunState {
  version: string;
  /** Number of the job's workflow. */
  number: number;
  /** Id of the claim that started it. */
  by: string;
  /** Tells its job from a later one with the same id. */
  jobCreatedAtMs: number;
  startedAtMs: number;
  /** When it began again, after the last retry of the whole run. Absent: never. */
  reopenedAtMs?: number;
  /** End of the run's time. */
  endsAtMs: number;
  /** What is ready has not been ready for longer than since this. */
  touchedAtMs: number;
  /** Counts every change of marks, rounds, releases and stop. */
  moves: number;
  marks: Record<string, string>;
  /** Round of a task; absent: 1. */
  rounds: Record<string, string>;
  /** Only with `maxParallel`: since when a task may be called, as in marks. */
  go?: Record<string, string>;
  stop?: RunStop;
  /** Only while it is held: since when, and by whom. */
  heldAtMs?: number;
  heldBy?: Actor;
  /** Those of the job when the run started, for tasks that name none. */
  priority: Priority;
  pool: string;
}

/** How many items of a fan-out there are, and how they have ended. */
export interface ItemCounts {
  count: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}
