import { MINUTE_MS } from '../clock/clock';
import type { Actor } from './actor';

/** How many a project has at a time. */
export const MAX_FAILURE_ACKS = 500;
/** Jobs that one remembers. */
export const MAX_JOBS_OF_ACK = 500;
/** How long one lasts, at most. */
export const MAX_ACK_DAYS = 30;

/** A cause of failures that a user of the project knows about. */
export interface FailureAck {
  project: string;
  fingerprint: string;
  note?: string;
  atMs: number;
  untilMs: number;
  by: Actor;
  /** The jobs that had failed so by then. */
  jobIds: string[];
  /** Seconds: when DynamoDB may remove the row. */
  expiresAtSec: number;
}

/** What ended so long before it may not have been seen: the index of failures follows with a delay. */
const UNSEEN_MS = MINUTE_MS;

/**
 * Whether it still holds: its time is not over, and no job has failed so that had not before.
 *
 * @param lastEndMs when the last failure of each job ended, by jobId
 */
export const isAckCurrent = (
  ack: FailureAck,
  lastEndMs: ReadonlyMap<string, number>,
  nowMs: number,
): boolean =>
  nowMs < ack.untilMs &&
  [...lastEndMs].every(([jobId, endMs]) => ack.jobIds.includes(jobId) || endMs < ack.atMs - UNSEEN_MS);
