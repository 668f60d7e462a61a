import { QuarterjackError } from '../errors';
import type { Delivery } from './verify-delivery';

/**
 * Where the highest fence of each execution is kept. Receivers on several machines need one they share: in SQL, an upsert
 * that keeps the greater number; in DynamoDB, an update with `attribute_not_exists(fence) OR fence <= :fence`.
 */
export interface FenceStore {
  /** Keeps `fence` unless a higher one is kept for `id`, in one step. False where a higher one is. */
  raise(id: string, fence: number): boolean | Promise<boolean>;
}

/** A later attempt has been here: answer 409 and do nothing. */
export class StaleFenceError extends QuarterjackError {
  override name = 'StaleFenceError';
}

/**
 * Refuses deliveries of attempts that a later one has overtaken: a request that was long on its way, or a process that
 * woke after its lease had gone to another. Ask it before acting, and again before writing what cannot be undone.
 */
export class FenceGuard {
  constructor(private readonly store: FenceStore = new MemoryFenceStore()) {}

  /** Throws a `StaleFenceError`. The fence that was admitted last is admitted again. */
  async admit({ id, fence }: Pick<Delivery, 'id' | 'fence'>): Promise<void> {
    if (!Number.isSafeInteger(fence) || fence < 1)
      throw new StaleFenceError(`the fence of ${id} is ${fence}; expected a whole number from 1`);
    if (await this.store.raise(id, fence)) return;
    throw new StaleFenceError(`fence ${fence} of ${id} is lower than one seen before`);
  }
}

/** For a receiver of one process: keeps the executions seen last, and forgets everything when it ends. */
export class MemoryFenceStore implements FenceStore {
  private readonly fences = new Map<string, number>();

  constructor(private readonly maxExecutions = 100_000) {}

  raise(id: string, fence: number): boolean {
    const highest = this.fences.get(id) ?? 0;
    if (fence < highest) return false;
    this.fences.delete(id);
    this.fences.set(id, fence);
    if (this.fences.size > this.maxExecutions) this.fences.delete(this.fences.keys().next().value as string);
    return true;
  }
}
