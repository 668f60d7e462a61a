import { DAY_MS } from '../clock/clock';
import type { Actor } from './actor';

/** Bounds of a value in characters, and in bytes of UTF-8. Shorter values are too common to be hidden. */
export const SECRET_VALUE = { minCharacters: 8, maxBytes: 4_096, maxPemBytes: 16_384 } as const;
/** `pem`: certificates, or a private key, which a target is never sent. */
export const SECRET_KINDS = ['text', 'pem'] as const;
type SecretKind = (typeof SECRET_KINDS)[number];
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

/** What is known of a secret of kind `pem` without its value. */
export interface PemContent {
  certificates: number;
  key: boolean;
  /** When the first of its certificates ends; absent: it has none. */
  validUntilMs?: number;
}

export const secretKindOf = ({ pem }: Pick<Secret, 'pem'>): SecretKind => (pem ? 'pem' : 'text');

/** A secret of a project. Its values are sealed. */
export interface Secret {
  project: string;
  name: string;
  /** Random; new with each value. */
  version: string;
  sealed: string;
  /** Absent: its kind is `text`. */
  pem?: PemContent;
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

/** A secret with its new value, or a new secret. No target repeats what it was never sent. */
export function withNewValue(before: Secret | undefined, next: Omit<Secret, 'earlier'>): Secret {
  if (!before) return next;
  const replaced = { sealed: before.sealed, untilMs: next.updatedAtMs + HIDDEN_FOR_MS };
  const sent = [...stillHidden(before, next.updatedAtMs), ...(before.pem ? [] : [replaced])];
  const earlier = sent.slice(-MAX_EARLIER);
  return { ...next, earlier };
}

/** The earlier values that are still to be hidden. */
export const stillHidden = ({ earlier = [] }: Secret, nowMs: number): readonly EarlierValue[] =>
  earlier.filter(({ untilMs }) => untilMs > nowMs);
