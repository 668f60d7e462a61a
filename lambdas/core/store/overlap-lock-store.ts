/** Which execution occupies a job, and which one waits for it. Only jobs whose overlap policy is not `allow` have one. */
export interface OverlapLock {
  /** execId of the execution that occupies the job; absent: it is free. */
  holder?: string;
  /** When the holder took it. */
  sinceMs?: number;
  /** execId of the one that goes next. */
  waiter?: string;
}

/**
 * Holds of jobs, one row each. Taking is idempotent for its execId; whoever finds the job held decides, by the holder's
 * own row, whether to take it `insteadOf` that one.
 */
export interface OverlapLockStore {
  acquire(
    jobKey: string,
    execId: string,
    options: { nowMs: number; insteadOf?: OverlapLock },
  ): Promise<{ outcome: 'taken'; hold: OverlapLock } | { outcome: 'held'; hold: OverlapLock }>;
  /** Puts `execId` in the one waiting place, if it is empty, its own, or taken by `insteadOf`. */
  putWaiter(
    jobKey: string,
    execId: string,
    insteadOf?: string,
  ): Promise<{ outcome: 'waiting' } | { outcome: 'held'; hold: OverlapLock }>;
  /** Empties the waiting place, if `execId` is in it. */
  clearWaiter(jobKey: string, execId: string): Promise<void>;
  /** Frees the job, if `execId` holds it; resolves to the hold as it then is. */
  release(jobKey: string, execId: string): Promise<OverlapLock>;
  /** Consistent. */
  get(jobKey: string): Promise<OverlapLock>;
}
