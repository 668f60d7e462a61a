import type { UsedKind } from '../contracts/tables';

/** A job uses something. The row is written before the job, and is harmless if it is left over. */
export interface Use {
  userId: string;
  jobId: string;
  kind: UsedKind;
  name: string;
  /** When a job was about to be written with it. */
  atMs: number;
}

/** Which jobs may use a thing. A job that uses it has a row. A row may have no such job. */
export interface UsesStore {
  /** Writes a row for each use, or renews its `atMs`. */
  put(uses: readonly Use[]): Promise<void>;
  /** The jobs that may use a thing, in order of their ids, at most `limit`. Consistent. */
  list(userId: string, kind: UsedKind, name: string, page: { after?: string; limit: number }): Promise<Use[]>;
  /** What jobs may use of one kind, by name and then by jobId, at most `limit`. Eventually consistent. */
  listKind(userId: string, kind: UsedKind, page: { after?: Use; limit: number }): Promise<Use[]>;
  /** Removes a row that still has this `atMs`: no request has written it since. */
  remove(use: Use): Promise<void>;
}
