import type { JobRef } from '../contracts/tables';

/** Which version of a key works, and which one besides. */
interface KeyVersions {
  pingId: string;
  /** Rises with each rotation, from 1. */
  version: number;
  /** Until then, the version before works too. */
  earlierUntilMs?: number;
}

/** What the keys of a monitor name. Its job may be deleted. */
export interface PingKey extends JobRef, KeyVersions {}

/** What the key for all monitors of a project names. */
export interface ProjectPingKey extends KeyVersions {
  userId: string;
  /** What jobs that it makes say of who made them. */
  name: string;
  /** Whether a ping with it may make a monitor. */
  allowCreate: boolean;
  /** The subject that has set it last. */
  setBy: string;
  /** Tells it from an earlier key of the project. */
  createdAtMs: number;
}

/** How many monitors a project's key may make. */
export interface MakingLimits {
  perMinute: number;
  /** Since it was allowed to. */
  inAll: number;
}

/** The rows by which a ping finds its monitor. A lost race is an outcome, never an error. */
export interface PingKeyStore {
  /** Consistent: a key that was ended works no more. */
  get(pingId: string): Promise<PingKey | undefined>;
  /** Makes the row of a monitor, or keeps one that a deletion has left, with its version. */
  keep(key: Omit<PingKey, 'version'>): Promise<void>;
  /** The job is deleted, or no monitor any more: the row goes once it cannot be restored. */
  expire(pingId: string, expiresAtSec: number): Promise<void>;
  /** The next version, if the present one is as seen. A project's also has its `createdAtMs`. */
  rotate(
    seen: Pick<KeyVersions, 'pingId' | 'version'> & Partial<Pick<ProjectPingKey, 'createdAtMs'>>,
    earlierUntilMs: number | undefined,
  ): Promise<'done' | 'changed'>;
  /** Consistent. */
  getOfProject(pingId: string): Promise<ProjectPingKey | undefined>;
  /**
   * Makes the row of a project, or changes it: it keeps its version and `createdAtMs`.
   *
   * @param startsCount whether the monitors that it makes are counted from 0
   */
  putOfProject(key: Omit<ProjectPingKey, 'version'>, startsCount: boolean): Promise<void>;
  /** Ends the key of a project at once. */
  removeOfProject(pingId: string): Promise<void>;
  /**
   * Counts one more monitor that a project's key makes. Returns how many it has made by then.
   *
   * @param minute since the epoch
   */
  countMade(pingId: string, minute: number, limits: MakingLimits): Promise<number | 'minute-full' | 'full'>;
  /**
   * Takes one back that was not made after all, except from its minute. It stays if the key has counted
   * another one since: a count may be too high, and never too low.
   *
   * @param made the count with it
   */
  uncountMade(pingId: string, made: number): Promise<void>;
}
