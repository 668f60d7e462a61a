import type { LifecycleChoice } from '../contracts/events';
import type { ExecutionStore } from '../store/execution-store';
import { type Ended, type LifecycleEvent, lifecycleEvent } from './lifecycle-event';

/** Takes events to send them. Returns at once and never throws: no work waits for an event. */
export interface Events {
  put(event: LifecycleEvent): void;
}

/**
 * A store that publishes each end after the stage has written it. Never before: an event says what is so. A
 * crash right after the write loses the event, never the end.
 */
export function publishingStore(
  store: ExecutionStore,
  events: Events,
  choice: LifecycleChoice,
): ExecutionStore {
  if (choice === 'off') return store;
  const publish = (ended: Ended): void => {
    const event = lifecycleEvent(ended, choice);
    if (event) events.put(event);
  };
  return {
    ...store,
    async finish(lease, ending, records) {
      const outcome = await store.finish(lease, ending, records);
      if (outcome === 'done') publish({ ...lease, ...ending });
      return outcome;
    },
    async endStale(seen, ending, lost) {
      const outcome = await store.endStale(seen, ending, lost);
      if (outcome === 'done') publish({ ...seen, ...ending });
      return outcome;
    },
    async endWaiting(seen, ending) {
      const outcome = await store.endWaiting(seen, ending);
      if (outcome === 'done') publish({ ...seen, ...ending });
      return outcome;
    },
    async putSkipped(row) {
      const outcome = await store.putSkipped(row);
      const { jobKey, execId, reason, skipped, fence } = row;
      const status = row.status === 'cancelled' ? 'cancelled' : 'skipped';
      if (outcome === 'written')
        publish({
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
