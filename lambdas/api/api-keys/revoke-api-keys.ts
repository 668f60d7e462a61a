import { inParallel } from '../../core/async/in-parallel';
import { KEY_ID } from '../../core/api-keys/key-format';
import type { RevokedApiKeysView } from '../../core/http/access-answers';
import { RevokeApiKeysQuery } from '../../core/http/queries';
import type { ApiKey } from '../../core/domain/api-key';
import { audited } from '../audit/audited';
import { readQuery } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** Keys revoked at the same time. */
const CONCURRENCY = 10;

/** 204. The authorizer may still accept the key for as long as it caches an earlier answer: 45 seconds. */
export async function revokeApiKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { keyId } = request.params;
  const key = keyId !== undefined && KEY_ID.test(keyId) ? await deps.apiKeys.get(keyId) : undefined;
  if (key?.project !== request.project) throw notFound('API key');
  await revoke(key, request, deps);
  return { status: 204 };
}

/** 200 with the ids of the revoked keys: all that one actor created in the project. */
export async function revokeApiKeys(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { by } = readQuery(request, RevokeApiKeysQuery);
  const keys = (await deps.apiKeys.list(request.project)).filter((key) => key.by.sub === by);
  await inParallel(keys, CONCURRENCY, (key) => revoke(key, request, deps));
  const body: RevokedApiKeysView = { revoked: keys.map(({ keyId }) => keyId) };
  return { status: 200, body };
}

function revoke(key: ApiKey, request: ApiRequest, deps: ApiDeps): Promise<void> {
  const change = { what: 'api-key.revoked', resource: key.keyId, detail: `name ${key.name}` } as const;
  return audited(request, change, () => deps.apiKeys.remove(key), deps);
}
