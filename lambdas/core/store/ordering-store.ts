import type { OrderedMessage } from '../contracts/messages';
import type { OrderingKeyRef } from '../contracts/tables';
import type { ExecutionRef } from './execution-store';

/** Names one execution's place in the line of its ordering key. */
export interface TicketRef extends ExecutionRef {
  orderingKey: string;
}

/** An execution that stands in line, from its dispatch until it has ended. */
export interface Ticket extends ExecutionRef {
  dueAtMs: number;
  /** What asks for its first attempt: whoever ends its turn sends it, without a read of the job. */
  message: OrderedMessage;
}

/** The execution whose turn it is, or was: one that is over counts as nobody. */
export interface KeyHolder extends ExecutionRef {
  dueAtMs: number;
  /** Random; new each time it is taken, by its own holder too. */
  takeId: string;
  takenAtMs: number;
}

export interface OrderingQueueHead {
  holder?: KeyHolder;
  /** The first ones, by due time, then by execution. */
  tickets: Ticket[];
  /** Whether there are more than these. */
  more: boolean;
}

/** The lines of ordering keys: a row for each place, and one for the holder. Only jobs with an `orderingKey` have any. */
export interface OrderingStore {
  /** Puts places; the same one again is the same row. */
  enqueue(places: readonly { message: OrderedMessage; expiresAtSec: number }[]): Promise<void>;
  /** Consistent. */
  peek(line: OrderingKeyRef, limit: number): Promise<OrderingQueueHead>;
  /**
   * Makes an execution the holder, if nobody is, it is so itself, or `insteadOf` is as it was seen. One's own earlier
   * success is no conflict.
   */
  acquire(
    place: TicketRef & { dueAtMs: number },
    hold: { takeId: string; nowMs: number; expiresAtSec: number; insteadOf?: KeyHolder },
  ): Promise<'taken' | 'held'>;
  /** Whether there is such a place. Consistent. */
  hasTicket(place: TicketRef): Promise<boolean>;
  /** Removes a place; one that is gone stays gone. */
  dequeue(place: TicketRef): Promise<void>;
  /**
   * Leave to send the message of a place once more, given to one caller within `everyMs`; undefined to the others, and
   * where the place is gone.
   */
  claimResend(place: TicketRef, at: { nowMs: number; everyMs: number }): Promise<OrderedMessage | undefined>;
}
