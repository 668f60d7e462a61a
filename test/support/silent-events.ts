import { publishingStore } from '../../lambdas/core/events/publishing-store';
import type { ExecutionStore } from '../../lambdas/core/store/execution-store';

/** A store as every stage has it: it announces what ends. Nobody listens here. */
export const silentEvents = (store: ExecutionStore): ExecutionStore =>
  publishingStore(store, { put: () => undefined }, 'all');
