import type { Actor } from './actor';
import type { Rate } from './start-log';

/** A name of a key: a path segment, and a part of sort keys. */
export const CONCURRENCY_KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Executions of one key at a time, at most. */
export const MAX_CONCURRENCY = 100;
/** Keys that a project may define. */
export const MAX_CONCURRENCY_KEYS = 100;
/** A key that is not defined, because its definition was deleted by force: one execution at a time. */
export const DEFAULT_CONCURRENCY = 1;

/** How many executions of a project's jobs with this key run at a time, and start in a period. */
export interface ConcurrencyKey {
  userId: string;
  name: string;
  /** 1 to `MAX_CONCURRENCY`. */
  limit: number;
  /** How many of them start in a period. Absent: as many as there are slots for. */
  rate?: Rate;
  updatedAtMs: number;
  by: Actor;
}
