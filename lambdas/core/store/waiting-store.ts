/** For what something waits until a user acts: the approval of a task, or the resumption of a held run. */
export const WAITING_KINDS = ['approval', 'held'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** A run, or a task of one, that waits for a user. */
export interface Waiting {
  kind: WaitingKind;
  jobKey: string;
  /** The run, or the task. */
  execId: string;
  sinceMs: number;
  /** Until when it waits at most. */
  untilMs?: number;
  note?: string;
  /** Notifications are still to tell of it. */
  toTell?: true;
  expiresAtSec: number;
}

export type WaitingRef = Pick<Waiting, 'jobKey' | 'execId'>;

/**
 * What waits for the users of a project, in Executions. A row may be left over: whether something still waits
 * is said by its run alone.
 */
export interface WaitingStore {
  put(waiting: Waiting): Promise<void>;
  /** Consistent. */
  get(ref: WaitingRef): Promise<Waiting | undefined>;
  remove(ref: WaitingRef): Promise<void>;
  /** The rows of a project by job and execId, after a position (`waitingSortOf`). */
  list(
    project: string,
    page: { after?: string; limit: number },
  ): Promise<{ rows: Waiting[]; nextAfter?: string }>;
}
