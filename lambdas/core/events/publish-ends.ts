import type { LifecycleChoice } from '../contracts/events';
import type { EndedExecution } from '../domain/ended';
import { isTerminal } from '../domain/transitions';
import type { Waiting } from '../store/waiting-store';
import { type LifecycleEvent, lifecycleEvent, waitingEvent } from './lifecycle-event';

/** Takes events on their way. Returns at once and never throws: nothing waits for an event. */
export interface Events {
  put(event: LifecycleEvent): void;
}

/** Publishes the ends that `choice` names. Publishing an end again gives the same event with the same id. */
export const endPublisher =
  (events: Events, choice: LifecycleChoice) =>
  (ended: EndedExecution): void => {
    const { status, finishedAtMs = ended.dueAtMs } = ended;
    if (choice === 'off' || !isTerminal(status)) return;
    const event = lifecycleEvent({ ...ended, status, finishedAtMs }, choice);
    if (event) events.put(event);
  };

/** Publishes an approval that has become due, unless `choice` is `off`. Repeated events have the same id. */
export const waitingPublisher =
  (events: Events, choice: LifecycleChoice) =>
  (waiting: Waiting): void => {
    if (choice !== 'off') events.put(waitingEvent(waiting));
  };
