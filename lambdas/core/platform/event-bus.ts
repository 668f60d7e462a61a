import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { EVENT_SOURCE } from '../contracts/events';
import type { PutEvents } from '../events/batched-events';
import type { LifecycleEvent } from '../events/lifecycle-event';
import { handlerWith } from './client-settings';

const EVENTS_TIMEOUT_MS = 3_000;

/** Two tries of a few seconds: the invocation that waits for them has done its other work. */
const eventBridgeClient = (): EventBridgeClient =>
  new EventBridgeClient({ maxAttempts: 2, requestHandler: handlerWith(EVENTS_TIMEOUT_MS) });

/** An event bus of EventBridge, by its name. */
export const eventBus =
  (busName: string, client: Pick<EventBridgeClient, 'send'> = eventBridgeClient()): PutEvents =>
  async (events) => {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: events.map((event) => entryOf(event, busName)) }),
    );
    const isRejected = (index: number) => Entries[index]?.ErrorCode !== undefined;
    return {
      events: events.filter((_, index) => isRejected(index)),
      cause: Entries.find((_, index) => isRejected(index))?.ErrorMessage,
    };
  };

const entryOf = ({ type, atMs, detail }: LifecycleEvent, busName: string) => ({
  EventBusName: busName,
  Source: EVENT_SOURCE,
  DetailType: type,
  Detail: JSON.stringify(detail),
  Time: new Date(atMs),
});
