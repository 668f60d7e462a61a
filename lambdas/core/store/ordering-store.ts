import type { OrderedMessage } from '../contracts/messages';
import type { OrderingKeyRef } from '../contracts/tables';
import type { TicketPosition } from '../contracts/tickets';
import type { ExecutionRef } from './execution-store';

/** Names one execution's ticket in the queue of its ordering key. */
export interface TicketRef extends TicketPosition {
  orderingKey: string;
}

/** An execution in an ordering queue, from its dispatch until it has ended. */
export interface Ticket extends ExecutionRef {
  dueAtMs: number;
  /** Its position, as stored. */
  sort: string;
  /** Asks for its first attempt. The stage that ends the holder sends it, and need not read the job. */
  message: OrderedMessage;
}

/** The execution that holds an ordering key, or held it last. The key is free once that execution is over. */
export interface KeyHolder extends ExecutionRef {
  dueAtMs: number;
  /** Random; new at each acquisition, also at one by the present holder. */
  acquisitionId: string;
  acquiredAtMs: number;
}

export interface OrderingQueueHead {
  holder?: KeyHolder;
  /** The first ones, by due time (dates of backfills by their begin), then by execution. */
  tickets: Ticket[];
  /** Whether there are more tickets than these. */
  more: boolean;
}

/**
 * The queues of ordering keys: one row per ticket, and one for the holder. Only jobs with an `orderingKey`
 * have any.
 */
export interface OrderingStore {
  /** Writes tickets. The same ticket again is the same row. */
  enqueue(tickets: readonly { message: OrderedMessage; expiresAtSec: number }[]): Promise<void>;
  /** The holder and the first `limit` tickets. Consistent. */
  peek(ref: OrderingKeyRef, limit: number): Promise<OrderingQueueHead>;
  /**
   * Makes an execution the holder, if the key has no holder, if it holds the key already, or if the holder is
   * still `insteadOf`. A retry of an acquisition that succeeded is no conflict.
   */
  acquire(
    ticket: TicketRef & { dueAtMs: number },
    acquisition: { acquisitionId: string; nowMs: number; expiresAtSec: number; insteadOf?: KeyHolder },
  ): Promise<'acquired' | 'held'>;
  /** Consistent. */
  hasTicket(ticket: TicketRef): Promise<boolean>;
  /** Removes a ticket. Removing a missing one changes nothing. */
  dequeue(ticket: TicketRef): Promise<void>;
  /**
   * Permission to send the message of a ticket once more: one caller gets the message within `everyMs`.
   * Undefined for the other callers, and if the ticket is gone.
   */
  claimResend(ticket: TicketRef, at: { nowMs: number; everyMs: number }): Promise<OrderedMessage | undefined>;
}
