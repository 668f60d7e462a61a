import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { EVENT_SOURCE } from '../contracts/events';
import type { PutEvents } from '../events/batched-events';
import type { LifecycleEvent } from '../events/lifecycle-event';
import { handlerWith } from './client-settings';

const EVENTS_TIMEOUT_MS = 3_000;

/** Two tries of a few seconds: whoever waits for it has its own work done. */
const eventBridgeClient = (): EventBridgeClient =>
  new EventBridgeClient({ maxAttempts: 2, requestHandler: handlerWith(EVENTS_TIMEOUT_MS) });

/** A bus of EventBridge, by its name. */
export const eventBus =
  (busName: string, client: Pick<EventBridgeClient, 'send'> = eventBridgeClient()): PutEvents =>
  async (events) => {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: events.map((event) => entryOf(event, busName)) }),
    );
    const isRefused = (index: number) => Entries[index]?.ErrorCode !== undefined;
    return {
      events: events.filter((_, index) => isRefused(index)),
      cause: Entries.find((_, index) => isRefused(index))?.ErrorMessage,
    };
  };

const entryOf = ({ type, atMs, detail }: LifecycleEvent, busName: string) => ({
  EventBusName: busName,
  Source: EVENT_SOURCE,
  DetailType: type,
  Detail: JSON.stringify(detail),
  Time: new Date(atMs),
});
