/**
 * Which execution occupies a job, and which one waits for it. Jobs whose overlap policy is `allow` have no
 * lock.
 */
export interface OverlapLock {
  /** execId of the execution that occupies the job; absent: the job is idle. */
  holder?: string;
  /** In which life the holder acquired the lock (`lifeOf`). Absent: in its first. */
  holderRetries?: number;
  /** When the holder acquired the lock. */
  sinceMs?: number;
  /** execId of the one that goes next. */
  waiter?: string;
}

/**
 * Overlap locks, one row per job. Acquiring is idempotent for its execId, but an earlier life of an execution
 * does not acquire the lock of a later one (`holderRetries`). A caller that finds the lock held
 * reads the holder's own row, and decides by it whether to acquire the lock `insteadOf` that holder.
 */
export interface OverlapLockStore {
  acquire(
    jobKey: string,
    execId: string,
    options: { nowMs: number; userRetries?: number; insteadOf?: OverlapLock },
  ): Promise<{ outcome: 'acquired' | 'held'; lock: OverlapLock }>;
  /**
   * Makes `execId` the one waiter, if there is none, if it waits already, or if `insteadOf` is the waiter.
   */
  putWaiter(
    jobKey: string,
    execId: string,
    insteadOf?: string,
  ): Promise<{ outcome: 'waiting' } | { outcome: 'held'; lock: OverlapLock }>;
  /** Removes the waiter, if it is `execId`. */
  clearWaiter(jobKey: string, execId: string): Promise<void>;
  /**
   * Releases the lock, if `execId` holds it in that life: a late release of an earlier one must not free it.
   * Resolves to the lock as it then is.
   */
  release(jobKey: string, execId: string, userRetries?: number): Promise<OverlapLock>;
  /** Consistent. */
  get(jobKey: string): Promise<OverlapLock>;
}
