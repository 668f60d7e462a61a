import type { Actor } from './actor';
import type { Rate } from './start-log';

/** A name of a key: a path segment, and a part of sort keys. */
export const CONCURRENCY_KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** The name of a rule: what the keys that it is for begin with, and `*`. */
export const KEY_RULE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,41}\*$/;
/** Executions of one key at a time, at most. */
export const MAX_CONCURRENCY = 100;
/** Keys and rules that a project may define. */
export const MAX_CONCURRENCY_KEYS = 100;
/** A key that is not defined, because its definition was deleted by force: one execution at a time. */
export const DEFAULT_CONCURRENCY = 1;

/**
 * How many executions of a project's jobs with this key run at a time, and start in a period. A rule says so
 * for each key that begins with its name, and has no definition of its own.
 */
export interface ConcurrencyKey {
  userId: string;
  /** A rule's name ends with `*`. */
  name: string;
  /** 1 to `MAX_CONCURRENCY`. */
  limit: number;
  /** How many of them start in a period. Absent: as many as there are slots for. */
  rate?: Rate;
  updatedAtMs: number;
  by: Actor;
}

/** The rule of a key without a definition: the one with the longest name that the key begins with. */
export const ruleAmong = (all: readonly ConcurrencyKey[], key: string): ConcurrencyKey | undefined =>
  all
    .filter(({ name }) => name.endsWith('*') && key.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.name.length - a.name.length)[0];
