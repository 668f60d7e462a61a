import { EmptyBody } from '../../core/http/job';
import { MAX_ROTATIONS, rotated } from '../../core/domain/secret-versions';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { conflict, tooMany } from '../http/problem';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { secretView } from './secret-view';

const MAX_TRIES = 5;

/**
 * 200 with the new secret. The one before signs along for a day; deliveries bear both signatures within five minutes.
 */
export async function rotateSigningSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { userId } = request;
  const mark = stampOf(request, readOptionalBody(request, EmptyBody));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await deps.users.secretVersions(userId);
    if (mark && seen.keyHash === mark.keyHash)
      return { status: 200, headers: REPLAYED, body: await secretView(userId, seen, deps) };
    const nowMs = deps.clock.nowMs();
    const next = rotated(seen, nowMs, mark?.keyHash);
    if ('tooManyUntilMs' in next)
      throw tooMany(`a secret can be rotated ${MAX_ROTATIONS} times a day`, next.tooManyUntilMs - nowMs);
    if ((await deps.users.putSecretVersions(userId, next, seen)) === 'put')
      return { status: 200, body: await secretView(userId, next, deps) };
  }
  throw conflict('the secret is being rotated by others at the same time; read it again');
}
