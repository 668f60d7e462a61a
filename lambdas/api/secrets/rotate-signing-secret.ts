import { EmptyBody } from '../../core/http/job';
import type { IdempotencyStamp } from '../../core/domain/job';
import { MAX_ROTATIONS, rotated, type SecretVersions } from '../../core/domain/secret-versions';
import { audited } from '../audit/audited';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { conflict, tooMany } from '../http/problem';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { secretView } from './secret-view';

const MAX_TRIES = 5;

/**
 * 200 with the new secret. The previous secret signs along for a day. Deliveries carry both signatures within
 * five minutes.
 */
export async function rotateSigningSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const stamp = stampOf(request, readOptionalBody(request, EmptyBody));
  const change = { what: 'signing-secret.rotated', resource: 'signing-secret' } as const;
  const known = await deps.users.secretVersions(request.project);
  if (isReplay(known, stamp)) return replay(request.project, known, deps);
  return audited(request, change, () => rotate(request.project, stamp, deps), deps);
}

const isReplay = (versions: SecretVersions, stamp: IdempotencyStamp | undefined): boolean =>
  stamp !== undefined && versions.keyHash === stamp.keyHash;

const replay = async (project: string, versions: SecretVersions, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  headers: REPLAYED,
  body: await secretView(project, versions, deps),
});

async function rotate(
  project: string,
  stamp: IdempotencyStamp | undefined,
  deps: ApiDeps,
): Promise<ApiResponse> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await deps.users.secretVersions(project);
    if (isReplay(seen, stamp)) return replay(project, seen, deps);
    const nowMs = deps.clock.nowMs();
    const next = rotated(seen, nowMs, stamp?.keyHash);
    if ('tooManyUntilMs' in next)
      throw tooMany(
        `a signing secret can be rotated ${MAX_ROTATIONS} times a day`,
        next.tooManyUntilMs - nowMs,
      );
    if ((await deps.users.putSecretVersions(project, next, seen)) === 'put')
      return { status: 200, body: await secretView(project, next, deps) };
  }
  throw conflict('other requests keep rotating the secret; read it again and repeat the request');
}
