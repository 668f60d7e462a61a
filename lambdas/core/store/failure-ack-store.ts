import type { FailureAck } from '../domain/failure-ack';

/** Which causes of failures the users of a project know about. */
export interface FailureAckStore {
  /** All of a project by fingerprint, also those whose time is over. Consistent. */
  list(project: string): Promise<FailureAck[]>;
  /** Replaces the one with the same fingerprint. */
  put(ack: FailureAck): Promise<void>;
  remove(project: string, fingerprint: string): Promise<void>;
}
