import type { JobRef } from '../contracts/tables';

/** What the keys of a monitor name. Its job may be deleted. */
export interface PingKey extends JobRef {
  pingId: string;
  /** Rises with each rotation, from 1. */
  version: number;
  /** Until then, the version before works too. */
  earlierUntilMs?: number;
}

/** The rows by which a ping finds its monitor. A lost race is an outcome, never an error. */
export interface PingKeyStore {
  /** Consistent: a key that was ended works no more. */
  get(pingId: string): Promise<PingKey | undefined>;
  /** Makes the row of a monitor, or keeps one that a deletion has left, with its version. */
  keep(key: Omit<PingKey, 'version'>): Promise<void>;
  /** The job is deleted, or no monitor any more: the row goes once it cannot be restored. */
  expire(pingId: string, expiresAtSec: number): Promise<void>;
  /** The next version, if the present one is as seen. */
  rotate(seen: PingKey, earlierUntilMs: number | undefined): Promise<'done' | 'changed'>;
}
