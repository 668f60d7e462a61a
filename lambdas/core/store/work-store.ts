import type { WorkMessage } from '../contracts/messages';
import type { Priority } from '../contracts/pools';
import type { WorkQueueRef, WorkTicketKey } from '../contracts/work-keys';
import type { ExecutionRef } from './execution-store';

/** An execution that waits for a worker, from its offer until it is claimed. */
export interface WorkTicket {
  /** Asks for the attempt. */
  message: WorkMessage;
  /** Random; names this offer. */
  offerId: string;
  /** When it was offered first. */
  offeredAtMs: number;
}

/** The record of a claim with an `Idempotency-Key`. */
export interface ClaimRecord {
  userId: string;
  /** SHA-256 of project, actor and key, base64url. */
  keyHash: string;
  /** SHA-256 of the request's body in canonical JSON, base64url. */
  bodyHash: string;
  /** What was handed out, in order. */
  work: readonly ExecutionRef[];
  /** Seconds. */
  expiresAtSec: number;
}

/** How many tickets of a queue were counted. */
export interface WorkCount {
  waiting: number;
  /** Whether there may be more. */
  isAtLeast: boolean;
  /** The oldest offer among them. */
  oldestOfferedAtMs?: number;
}

/** Names the ticket that an execution has in a work queue, if it has one. */
export type WorkTicketRef = WorkTicketKey & { workQueue: string };

/** The seat of a claim that waits. */
export interface WaitSeat {
  seat: number;
  /** Names the claim, and until when it waits. */
  holder: string;
}

/** Which tickets a claim sees. */
export interface WorkPeek {
  limit: number;
  /** Only those of this priority. Absent: all, the most urgent first. */
  priority?: Priority;
  consistent: boolean;
}

/**
 * Work queues: one row for each execution that waits for a worker, and what belongs to claims. Only jobs with
 * the target `worker` have any.
 */
export interface WorkStore {
  /** Writes a ticket. One that stands keeps its id and the time of its offer. */
  offer(message: WorkMessage, offer: { offerId: string; nowMs: number; expiresAtSec: number }): Promise<void>;
  /** Consistent. */
  get(ref: WorkTicketRef): Promise<WorkTicket | undefined>;
  /**
   * Consistent. A ticket keeps the priority with which it was offered, and its job may have got another one
   * since. So each is asked for, that of the reference first.
   */
  find(ref: WorkTicketRef): Promise<WorkTicket | undefined>;
  /** Tickets by priority, then by due time. */
  peek(queue: WorkQueueRef, peek: WorkPeek): Promise<WorkTicket[]>;
  /** Removes this very offer; no effect if it is gone, or if another one has come. */
  remove(ticket: WorkTicket): Promise<void>;
  /** Counts up to `limit` tickets. Eventually consistent. */
  count(queue: WorkQueueRef, limit: number): Promise<WorkCount>;
  /** Notes that a worker asks for work, unless that was noted since `unlessSinceMs`. */
  saw(
    queue: WorkQueueRef,
    worker: string,
    at: { nowMs: number; unlessSinceMs: number; expiresAtSec: number },
  ): Promise<void>;
  /** The workers that were noted since, by name. Eventually consistent. */
  workersSince(
    queue: WorkQueueRef,
    sinceMs: number,
    limit: number,
  ): Promise<{ worker: string; seenAtMs: number }[]>;
  /** Consistent. */
  getClaim(userId: string, keyHash: string): Promise<ClaimRecord | undefined>;
  putClaim(record: ClaimRecord): Promise<void>;
  /**
   * Takes one of `seats` for a claim that waits until `untilMs`. Undefined: all are taken. A seat that is
   * not given back is free again after its time.
   */
  takeWait(
    userId: string,
    wait: { nowMs: number; untilMs: number; seats: number },
  ): Promise<WaitSeat | undefined>;
  /** Gives a seat back, if it was not taken over. */
  leaveWait(userId: string, seat: WaitSeat): Promise<void>;
}
