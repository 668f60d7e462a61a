import type { ExecutionRef } from './execution-store';
import type { WriteOptions } from './write-options';

/** What was counted when a backfill was asked for. How far it is, the row of its run says. */
export interface PlannedBackfill extends ExecutionRef {
  /** The earliest and the latest of its dates. Absent: it has none. */
  firstMs?: number;
  lastMs?: number;
  /** How many dates of the range had an execution that had succeeded. */
  alreadySucceeded: number;
  /** Estimate of all writes. */
  writes: number;
}

/** A part of a list of backfills. */
export interface BackfillsPage {
  backfills: PlannedBackfill[];
  nextAfter?: string;
}

/** The backfills of jobs, in Executions. By these rows they are found among the other executions. */
export interface BackfillStore {
  /** Writes it before its run, or writes it again: into the list of its job and into that of the project. */
  put(backfill: PlannedBackfill, expiresAtSec: number, options?: WriteOptions): Promise<void>;
  /** Consistent. */
  get(ref: ExecutionRef): Promise<PlannedBackfill | undefined>;
  /** Those of a job, newest first, after the execId `after`. */
  list(jobKey: string, page: { after?: string | undefined; limit: number }): Promise<BackfillsPage>;
  /** Those of a project, newest first, after a position (`projectBackfillSortOf`). */
  listOfProject(project: string, page: { after?: string | undefined; limit: number }): Promise<BackfillsPage>;
}
