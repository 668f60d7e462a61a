import { EmptyBody } from '../../core/http/job';
import { MAX_ROTATIONS, rotated } from '../../core/domain/secret-versions';
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
  const { project } = request;
  const stamp = stampOf(request, readOptionalBody(request, EmptyBody));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await deps.users.secretVersions(project);
    if (stamp && seen.keyHash === stamp.keyHash)
      return { status: 200, headers: REPLAYED, body: await secretView(project, seen, deps) };
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
