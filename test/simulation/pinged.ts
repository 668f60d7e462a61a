/** A request of a job that runs elsewhere, and its answer. Without an answer, it is not known to count. */
export interface PingRecord {
  src: 'ping';
  type: 'sent' | 'answered';
  /** Number of the action. Its repeats have the same. */
  ping: number;
  jobKey: string;
  /** As in the path; empty: the job has succeeded. */
  signal: string;
  rid?: string;
  /** By a URL of the project. */
  bySlug?: true;
  outcome?: string;
}

/** The key of a project for pings, after a change. `null`: it has none. */
export interface ProjectKeyRecord {
  src: 'table';
  type: 'project-key';
  project: string;
  key: { allowCreate: boolean; made: number } | null;
}

/** Jobs are charged to the quota of a project, before they are written. Nothing bounds them here. */
export interface QuotaRecord {
  src: 'quota';
  type: 'charged';
  project: string;
  jobs: number;
}

type Row = Readonly<Record<string, unknown>>;

/** What the change of a row says of the key of a project. The rows of monitors say nothing of one. */
export function projectKeyRecordOf(before: Row | undefined, after: Row | undefined): ProjectKeyRecord[] {
  const { of, allowCreate, made } = (after ?? before) as Row & {
    of: { userId: string; jobId?: string };
    allowCreate: boolean;
    made: number;
  };
  if (of.jobId !== undefined) return [];
  const key = after ? { allowCreate, made } : null;
  return [{ src: 'table', type: 'project-key', project: of.userId, key }];
}
