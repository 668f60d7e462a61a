import type { Execution, Run } from '../domain/execution';
import type { RunEdit } from '../domain/workflow/run-edits';
import type { RunState, RunStop } from '../domain/workflow/run-state';
import type { Lease } from './execution-store';

/** What a conditional write of a run came upon. `execution`: the row after it; undefined: there is none. */
export interface RunWrite {
  applied: boolean;
  execution: Execution | undefined;
}

/** What a mark came upon. Marks of one process that fall together may be one write. */
export interface MarkWrite extends RunWrite {
  /**
   * Keys of the marks with whose consequences the caller goes on. If several marks are one write, the last of
   * them has all keys, and the others have none.
   */
  made: readonly string[];
}

/**
 * What a run decides, on its own row in Executions. Every write is conditional, and returns the row as it is
 * then: the order of these writes is the order of the run. A lost race is an outcome, never an error. Each
 * write recognises its own success if the answer to an earlier try was lost.
 */
export interface RunStore {
  /** Under the lease: the claimed execution becomes a run, which needs no lease. */
  start(
    lease: Lease,
    run: RunState,
  ): Promise<{ outcome: 'started'; run: Run } | { outcome: 'lease-lost' | 'cancel-requested' }>;
  /** Marks a task of this round as ended, if the run is running and the task has no mark. */
  mark(run: Pick<Run, 'jobKey' | 'execId'>, task: TaskMark): Promise<MarkWrite>;
  /** Stops the run, if it is running and nothing has moved since it was seen. */
  stop(seen: Run, stop: RunStop): Promise<RunWrite>;
  /** Releases tasks of a run with `maxParallel`, on the same condition. `at` as in marks. */
  release(seen: Run, keys: readonly string[], at: string): Promise<RunWrite>;
  /** What a user's request changes, on the same condition. */
  edit(seen: Run, edit: RunEdit): Promise<RunWrite>;
  /** How many runs of the job are running, of those due since then. Eventually consistent, and bounded. */
  countLive(jobKey: string, dueSinceMs: number): Promise<number>;
}

export interface TaskMark {
  /** Key of the task in the maps of the run. */
  key: string;
  /** As the run has it; undefined: the first. */
  round: string | undefined;
  mark: string;
}
