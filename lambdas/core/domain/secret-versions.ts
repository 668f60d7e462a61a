import { DAY_MS } from '../clock/clock';

/** For how long an earlier version still signs after its rotation. */
const SIGNS_ALONG_MS = DAY_MS;
/** Most rotations within that time: each adds a signature to every delivery. */
export const MAX_ROTATIONS = 5;
export const FIRST_SECRET_VERSION = 1;

/** Which versions of a signing secret are in use: a host's, or the project's legacy one. */
export interface SecretVersions {
  /** The current version, from 1. */
  version: number;
  /** Rotations of the last day, oldest first. */
  rotatedAtMs: readonly number[];
  /** Hash of the `Idempotency-Key` of the last rotation. */
  keyHash?: string;
  /** The secret signs nothing any more. Only of the legacy secret, and final. */
  ended?: true;
}

export const NEVER_ROTATED: SecretVersions = { version: FIRST_SECRET_VERSION, rotatedAtMs: [] };

/** The versions that deliveries are signed with, the current one first. None if the secret has ended. */
export const signingVersions = (versions: SecretVersions, nowMs: number): number[] =>
  versions.ended ? [] : [versions.version, ...signingAlong(versions, nowMs).map(({ version }) => version)];

/** Earlier versions that still sign, newest first, and until when. */
export function signingAlong(
  { version, rotatedAtMs }: SecretVersions,
  nowMs: number,
): { version: number; untilMs: number }[] {
  return rotatedAtMs
    .map((atMs) => atMs + SIGNS_ALONG_MS)
    .reverse()
    .map((untilMs, index) => ({ version: version - 1 - index, untilMs }))
    .filter(({ untilMs }) => untilMs > nowMs);
}

/** The next version; or, after too many rotations, when the next one is allowed. */
export function rotated(
  versions: SecretVersions,
  nowMs: number,
  keyHash: string | undefined,
): SecretVersions | { tooManyUntilMs: number } {
  const recent = versions.rotatedAtMs.filter((atMs) => atMs + SIGNS_ALONG_MS > nowMs);
  if (recent.length >= MAX_ROTATIONS) return { tooManyUntilMs: recent[0]! + SIGNS_ALONG_MS };
  return { version: versions.version + 1, rotatedAtMs: [...recent, nowMs], ...(keyHash && { keyHash }) };
}

/** The secret's last version, which signs nothing. A rotation under way fails, because the version rises. */
export const ended = ({ version }: SecretVersions, keyHash: string | undefined): SecretVersions => ({
  version: version + 1,
  rotatedAtMs: [],
  ...(keyHash && { keyHash }),
  ended: true,
});
