import type { LimitedMessage } from '../contracts/messages';
import type { ConcurrencyKeyRef } from '../contracts/tables';
import type { TicketPosition } from '../contracts/tickets';
import type { ConcurrencyKey } from '../domain/concurrency-key';
import type { StartLog } from '../domain/start-log';
import type { ExecutionRef } from './execution-store';

/** An execution that holds a slot, or held it last. The slot is free once that execution is over. */
export interface SlotHolder extends ExecutionRef {
  /** 0 to 99. A slot at or beyond the key's limit is left over from a higher limit. */
  slot: number;
  dueAtMs: number;
  /** Random; new at each time that a slot is taken. */
  takeId: string;
  takenAtMs: number;
  /** In which life the execution took the slot (`lifeOf`). Absent: in its first. */
  userRetries?: number;
}

/** An execution that waits for a slot. */
export interface SlotTicket extends ExecutionRef {
  dueAtMs: number;
  /** Its position, as stored. */
  sort: string;
  /** Asks for its attempt. The stage that frees a slot sends it, and need not read the job. */
  message: LimitedMessage;
}

export interface SlotQueue {
  holders: SlotHolder[];
  /** The first ones, by due time (dates of backfills by their begin), then by execution. */
  tickets: SlotTicket[];
  /** Whether there are more tickets than these. */
  more: boolean;
  /** Present for a key with a rate, once an execution has started. */
  startLog?: StartLog;
}

/** Names one execution's ticket beside the slots of its concurrency key. */
export interface SlotTicketRef extends TicketPosition {
  concurrencyKey: string;
}

/**
 * Concurrency keys: their definitions, a row for each slot in use and each execution that waits, and the
 * starts of those with a rate.
 * Only jobs with a `concurrencyKey` have any.
 */
export interface ConcurrencyStore {
  /** Undefined: the key is not defined. Consistent. */
  getKey(ref: ConcurrencyKeyRef): Promise<ConcurrencyKey | undefined>;
  /** All keys of a project, by name. Consistent. */
  listKeys(userId: string): Promise<ConcurrencyKey[]>;
  /** The last one wins. */
  putKey(key: ConcurrencyKey): Promise<void>;
  removeKey(ref: ConcurrencyKeyRef): Promise<void>;
  /** All slots in use, and the first `limit` tickets. Consistent. */
  peek(ref: ConcurrencyKeyRef, limit: number): Promise<SlotQueue>;
  /**
   * Takes a slot, if no execution holds it, or if its holder is still `insteadOf`. A retry of a
   * call that took it is no conflict.
   */
  take(
    ref: ConcurrencyKeyRef,
    holder: SlotHolder,
    options: { expiresAtSec: number; insteadOf?: SlotHolder },
  ): Promise<'taken' | 'occupied'>;
  /** Frees the slot, if the holder still holds it. */
  free(ref: ConcurrencyKeyRef, holder: SlotHolder): Promise<void>;
  /**
   * Writes the log of starts, if it is still `insteadOf`. A retry of a call that wrote it is no conflict.
   */
  logStart(
    ref: ConcurrencyKeyRef,
    log: StartLog,
    options: { expiresAtSec: number; insteadOf?: StartLog },
  ): Promise<'logged' | 'changed'>;
  /** Writes a ticket. The same ticket again is the same row. */
  enqueue(message: LimitedMessage, expiresAtSec: number): Promise<void>;
  /** Consistent. */
  hasTicket(ticket: SlotTicketRef): Promise<boolean>;
  /** Removes a ticket. Removing a missing one changes nothing. */
  dequeue(ticket: SlotTicketRef): Promise<void>;
}
