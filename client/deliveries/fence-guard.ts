import { ArgumentError, QuarterjackError } from '../errors';
import { type Delivery, verifiedOf } from './delivery';

/**
 * Stores the highest fence of each execution. Receivers on several machines need a shared store. In SQL, use
 * an upsert that keeps the greater number; in DynamoDB, an update with `attribute_not_exists(fence) OR fence
 * <= :fence`.
 */
export interface FenceStore {
  /** Stores `fence`, unless a higher one is stored for `id`: then returns false. Must be atomic. */
  raise(id: string, fence: number): boolean | Promise<boolean>;
}

/** The receiver has seen a later attempt of this execution. Answer 409 and do nothing. */
export class StaleFenceError extends QuarterjackError {
  override name = 'StaleFenceError';
}

/**
 * Rejects a delivery if a later attempt of the same execution has arrived already. That happens if a request
 * was delayed in the network, or if an executor was suspended and lost its lease. Call `admit` before acting
 * on a delivery, and again before a write that cannot be undone.
 */
export class FenceGuard {
  constructor(private readonly store: FenceStore = new MemoryFenceStore()) {
    if (typeof (store as Partial<FenceStore> | null)?.raise !== 'function')
      throw new ArgumentError('store', store, 'an object with raise');
  }

  /**
   * Throws a `StaleFenceError` if the fence is lower than an earlier one. Takes only the result of
   * `verifyDelivery`, and none with `headersSigned: false`: a fence that another party chose would reject all
   * genuine ones from then on. Throws a `QuarterjackError` for anything else.
   */
  async admit(delivery: Delivery): Promise<void> {
    if (!verifiedOf(delivery)?.headersSigned)
      throw new QuarterjackError(
        'admit takes the result of verifyDelivery with signed headers: a fence must be proven',
      );
    const { id, fence } = delivery;
    if (await this.store.raise(id, fence)) return;
    throw new StaleFenceError(`fence ${fence} of ${id} is lower than an earlier one`);
  }
}

/** For a receiver with a single process: holds the latest executions in memory, until the process ends. */
export class MemoryFenceStore implements FenceStore {
  private readonly fences = new Map<string, number>();

  constructor(private readonly maxExecutions = 100_000) {
    if (typeof maxExecutions !== 'number')
      throw new ArgumentError('maxExecutions', maxExecutions, 'a number');
  }

  raise(id: string, fence: number): boolean {
    if (typeof fence !== 'number') throw new ArgumentError('fence', fence, 'a number');
    const highest = this.fences.get(id) ?? 0;
    if (fence < highest) return false;
    this.fences.delete(id);
    this.fences.set(id, fence);
    if (this.fences.size > this.maxExecutions) this.fences.delete(this.fences.keys().next().value as string);
    return true;
  }
}
