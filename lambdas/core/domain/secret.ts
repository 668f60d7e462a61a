import { DAY_MS } from '../clock/clock';
import type { Actor } from './actor';

/** Bounds of a value in characters, and in bytes of UTF-8. Shorter values are too common to be hidden. */
export const SECRET_VALUE = { minCharacters: 8, maxBytes: 4_096 } as const;
/**
 * References of one target. With values of the most bytes these are 64 kB. The bound is on their number, not
 * on the bytes: a bound on bytes would tell the length of a value.
 */
export const MAX_SECRET_REFERENCES = 16;
export const MAX_HOSTS = 20;
export const MAX_SECRETS = 100;

/**
 * A value that was replaced is still hidden in reports for this long: an attempt that it was sent with may
 * take a week.
 */
const HIDDEN_FOR_MS = 8 * DAY_MS;
/** Most earlier values of a secret that are kept to be hidden. */
const MAX_EARLIER = 8;

/** A secret of a project. Its values are sealed. */
export interface Secret {
  project: string;
  name: string;
  /** Random; new with each value. */
  version: string;
  sealed: string;
  /** The only hosts that it goes to: `example.com`, or `*.example.com` for the hosts below. */
  hosts: readonly string[];
  updatedAtMs: number;
  by: Actor;
  /** Values that were replaced and are still to be hidden, oldest first. */
  earlier?: readonly EarlierValue[];
}

interface EarlierValue {
  sealed: string;
  untilMs: number;
}

/** A secret with its new value, or a new secret. */
export function withNewValue(before: Secret | undefined, next: Omit<Secret, 'earlier'>): Secret {
  if (!before) return next;
  const replaced = { sealed: before.sealed, untilMs: next.updatedAtMs + HIDDEN_FOR_MS };
  const earlier = [...stillHidden(before, next.updatedAtMs), replaced].slice(-MAX_EARLIER);
  return { ...next, earlier };
}

/** The earlier values that are still to be hidden. */
export const stillHidden = ({ earlier = [] }: Secret, nowMs: number): readonly EarlierValue[] =>
  earlier.filter(({ untilMs }) => untilMs > nowMs);
