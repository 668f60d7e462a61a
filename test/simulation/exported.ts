import type { JournalEnd } from '../../lambdas/core/domain/journal-end';

/** A line of the export, as far as the checker reads it. */
export interface ExportedLine {
  key: string;
  version: number;
  project: string;
  jobId: string;
  execId: string;
  taskId: string | null;
  status: string;
  finishedAt: string;
  fence: number;
  userRetries: number;
}

/** An object of the export was written, in place of one with its name. */
export interface ArchiveRecord {
  src: 'archive';
  type: 'put';
  name: string;
  lines: readonly ExportedLine[];
}

/** A row of the journal of ends, or one by which an execution is found. */
export type FollowedRecord =
  | { src: 'table'; type: 'ends'; project: string; ends: readonly JournalEnd[] }
  | { src: 'table'; type: 'run-tag'; jobKey: string; execId: string; runTag: string };
