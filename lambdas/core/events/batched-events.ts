import type { Clock } from '../clock/clock';
import { Metric } from '../contracts/metrics';
import type { Events } from './publish-ends';
import type { LifecycleEvent } from './lifecycle-event';
import type { Log, Meter } from '../telemetry/telemetry';

/** The events that the bus rejected, and the reason for one of them. */
export interface Rejected {
  events: readonly LifecycleEvent[];
  cause?: unknown;
}

/** Puts up to ten events in one request. Throws if there is no answer. */
export type PutEvents = (events: readonly LifecycleEvent[]) => Promise<Rejected>;

/** Takes the events of an invocation, and sends them by its end at the latest. */
export interface InvocationEvents extends Events {
  /** Sends the remaining events, and waits for all requests. Never rejects. */
  flush(): Promise<void>;
}

interface BatchedEventsDeps {
  putEvents: PutEvents;
  clock: Pick<Clock, 'sleep'>;
  log: Log;
  meter: Meter;
}

/** The limit of one request. */
const EVENTS_A_REQUEST = 10;
/** How long an event may wait for others: an executor's invocation may last minutes. */
const GATHER_MS = 1_000;
const TRIES = 3;

/**
 * Sends events in batches, best effort. Events that the bus rejects are sent again. After three tries they
 * are counted, logged and dropped. An event whose answer was lost is sent twice, under the same id.
 */
export function batchedEvents({ putEvents, clock, log, meter }: BatchedEventsDeps): InvocationEvents {
  let waiting: LifecycleEvent[] = [];
  let gathering: AbortController | undefined;
  const sending = new Set<Promise<void>>();

  const send = async (batch: readonly LifecycleEvent[]): Promise<void> => {
    let left = batch;
    let cause: unknown;
    for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
      try {
        ({ events: left, cause } = await putEvents(left));
      } catch (error) {
        cause = error;
      }
    }
    if (left.length === 0) return;
    meter.count(Metric.eventsLost, left.length);
    log.error('lifecycle events dropped', cause, { ids: left.map(({ detail }) => detail.id) });
  };

  const sendWaiting = (): void => {
    gathering?.abort();
    gathering = undefined;
    for (; waiting.length > 0; waiting = waiting.slice(EVENTS_A_REQUEST)) {
      const sent = send(waiting.slice(0, EVENTS_A_REQUEST)).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  };

  return {
    put(event) {
      waiting.push(event);
      if (waiting.length >= EVENTS_A_REQUEST) return sendWaiting();
      if (gathering) return;
      const mine = (gathering = new AbortController());
      void clock.sleep(GATHER_MS, mine.signal).then(() => {
        if (!mine.signal.aborted) sendWaiting();
      });
    },
    async flush() {
      sendWaiting();
      await Promise.all(sending);
    },
  };
}
