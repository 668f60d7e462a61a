import { createHmac, timingSafeEqual } from 'node:crypto';

import * as z from 'zod/mini';

import type { Lease } from '../store/execution-store';

const Claims = z.tuple([
  z.string().check(z.minLength(3)),
  z.string().check(z.minLength(20)),
  z.string().check(z.minLength(1)),
  z.int().check(z.gte(1)),
  z.int().check(z.gte(1)),
  z.nullable(z.int().check(z.gte(0))),
]);

/** The content of a token. */
export interface AttemptTokenPayload {
  lease: Lease;
  /** Index of the target that got the token, if the job has several. */
  target: number | undefined;
}

/**
 * The token with which a target reports on one attempt: the lease, with a MAC under the deployment secret. It
 * is valid as long as the claim's random id fits, which the conditional write checks. The MAC rejects forged
 * tokens before any table is read, because the routes that take these tokens have no other protection.
 */
export function sealAttemptToken(lease: Lease, deploymentSecret: Buffer, target?: number): string {
  const { jobKey, execId, claimId, fence, attempt } = lease;
  const claims: z.input<typeof Claims> = [jobKey, execId, claimId, fence, attempt, target ?? null];
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${sealOf(text, deploymentSecret)}`;
}

/** The content of a token; undefined if this deployment did not make the token. */
export function openAttemptToken(token: string, deploymentSecret: Buffer): AttemptTokenPayload | undefined {
  const [text = '', seal = '', ...rest] = token.split('.');
  const given = Buffer.from(seal);
  const expected = Buffer.from(sealOf(text, deploymentSecret));
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return undefined;
  const [jobKey, execId, claimId, fence, attempt, target] = Claims.parse(
    JSON.parse(Buffer.from(text, 'base64url').toString()),
  );
  return { lease: { jobKey, execId, claimId, fence, attempt }, target: target ?? undefined };
}

function sealOf(text: string, deploymentSecret: Buffer): string {
  const key = createHmac('sha256', deploymentSecret).update('attempt-token').digest();
  return createHmac('sha256', key).update(text).digest('base64url');
}
