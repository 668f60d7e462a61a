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

/** What a token stands for. */
export interface AttemptTokenPayload {
  lease: Lease;
  /** Place of the target that it was given to, where the job has several. */
  target: number | undefined;
}

/**
 * The token by which a target reports on one attempt: the lease itself, under the deployment's seal. What makes it good
 * is the claim's random id, which the conditional write asks for; the seal keeps what nobody was given from reaching
 * the tables at all, since the routes that take it have no other guard.
 */
export function sealAttemptToken(lease: Lease, deploymentSecret: Buffer, target?: number): string {
  const { jobKey, execId, claimId, fence, attempt } = lease;
  const claims: z.input<typeof Claims> = [jobKey, execId, claimId, fence, attempt, target ?? null];
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${sealOf(text, deploymentSecret)}`;
}

/** What a token stands for; undefined where this deployment has not made it. */
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
