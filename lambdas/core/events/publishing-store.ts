import type { LifecycleChoice } from '../contracts/events';
import type { ExecutionStore } from '../store/execution-store';
import { type Ended, type LifecycleEvent, lifecycleEvent } from './lifecycle-event';

/** Takes events on their way. Returns at once and never throws: nothing waits for an event. */
export interface Events {
  put(event: LifecycleEvent): void;
}

/**
 * A store that announces each end once it is written, whoever writes it. Not before: an event says what is so. A crash
 * right after the write loses the event, never the end.
 */
export function publishingStore(
  store: ExecutionStore,
  events: Events,
  choice: LifecycleChoice,
): ExecutionStore {
  if (choice === 'off') return store;
  const announce = (ended: Ended): void => {
    const event = lifecycleEvent(ended, choice);
    if (event) events.put(event);
  };
  return {
    ...store,
    async finish(lease, ending, records) {
      const outcome = await store.finish(lease, ending, records);
      if (outcome === 'done') announce({ ...lease, ...ending });
      return outcome;
    },
    async endStale(seen, ending, lost) {
      const outcome = await store.endStale(seen, ending, lost);
      if (outcome === 'done') announce({ ...seen, ...ending });
      return outcome;
    },
    async endWaiting(seen, ending) {
      const outcome = await store.endWaiting(seen, ending);
      if (outcome === 'done') announce({ ...seen, ...ending });
      return outcome;
    },
    async putSkipped(row) {
      const outcome = await store.putSkipped(row);
      const { jobKey, execId, reason, skipped, fence } = row;
      const status = row.status === 'cancelled' ? 'cancelled' : 'skipped';
      if (outcome === 'written')
        announce({
          jobKey,
          execId,
          status,
          reason,
          finishedAtMs: row.finishedAtMs ?? row.dueAtMs,
          fence,
          skipped,
        });
      return outcome;
    },
  };
}
