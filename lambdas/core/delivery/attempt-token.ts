import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

import * as z from 'zod/mini';

import type { Lease } from '../store/execution-store';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const claims = [
  z.string().check(z.minLength(3)),
  z.string().check(z.minLength(20)),
  z.string().check(z.minLength(1)),
  z.int().check(z.gte(1)),
  z.int().check(z.gte(1)),
  z.nullable(z.int().check(z.gte(0))),
] as const;
/** The last parts are absent if the target is sent no secret, and if the token does not only observe. */
const Claims = z.tuple([...claims, z.optional(z.array(z.string())), z.optional(z.literal('observer'))]);

/** The content of a token. */
export interface AttemptTokenPayload {
  lease: Lease;
  /** Index of the target that got the token, if the job has several. */
  target?: number | undefined;
  /** Names of the secrets that the target is sent, if any: what is kept of its report must not have them. */
  secretNames?: readonly string[] | undefined;
  /** The response of the target is the result: the token decides nothing, and keeps no lease. */
  isObserver?: boolean | undefined;
}

/**
 * The token with which a target reports on one attempt: the lease, encrypted and authenticated under the
 * deployment secret. The lease names the user, and the target is not to learn that. It is valid as long as
 * the claim's random id fits, which the conditional write checks. Forged tokens are rejected before any table
 * is read, because the routes that take these tokens have no other protection.
 *
 * The nonce is a MAC of the content: no two contents share one, and equal contents give equal tokens.
 */
export function sealAttemptToken(
  lease: Lease,
  deploymentSecret: Buffer,
  { target, secretNames = [], isObserver = false }: Omit<AttemptTokenPayload, 'lease'> = {},
): string {
  const { jobKey, execId, claimId, fence, attempt } = lease;
  const ids = [jobKey, execId, claimId, fence, attempt, target ?? null];
  const sent = secretNames.length > 0 || isObserver ? [secretNames] : [];
  const text = JSON.stringify([...ids, ...sent, ...(isObserver ? ['observer'] : [])]);
  const nonceKey = keyOf(deploymentSecret, 'attempt-token-nonce');
  const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(deploymentSecret, 'attempt-token-seal'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The content of a token; undefined if this deployment did not make the token. */
export function openAttemptToken(token: string, deploymentSecret: Buffer): AttemptTokenPayload | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // The decoder skips what it does not know. Only one text is a token.
  if (bytes.toString('base64url') !== token || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const text = decrypted(bytes, deploymentSecret);
  if (text === undefined) return undefined;
  const [jobKey, execId, claimId, fence, attempt, target, secretNames, observer] = Claims.parse(
    JSON.parse(text),
  );
  const lease = { jobKey, execId, claimId, fence, attempt };
  return { lease, target: target ?? undefined, secretNames, ...(observer && { isObserver: true }) };
}

/** Undefined if the bytes are not authentic. */
function decrypted(bytes: Buffer, deploymentSecret: Buffer): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const key = keyOf(deploymentSecret, 'attempt-token-seal');
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return undefined; // the tag does not fit: forged, or made under another secret
  }
}

const keyOf = (deploymentSecret: Buffer, purpose: string): Buffer =>
  createHmac('sha256', deploymentSecret).update(purpose).digest();
