import { keyIdFrom, newKey, KEY_ID } from '../../core/api-keys/key-format';
import { keyHashOf } from '../../core/api-keys/verify-key';
import { DAY_MS, instantText } from '../../core/clock/clock';
import { ROLE_SCOPES } from '../../core/contracts/roles';
import type { NewApiKeyView, RevokedApiKeysView, ApiKeyView } from '../../core/http/openapi/access';
import { ApiKeyBody } from '../../core/http/api-key';
import { type ApiKey, defaultKeyScopes, type KeyScope } from '../../core/domain/api-key';
import type { IdempotencyStamp } from '../../core/domain/job';
import { startDeadline, withinDeadline } from '../../core/store/write-deadline';
import { ListApiKeysQuery, RevokeApiKeysQuery } from '../../core/http/queries';
import { inParallel } from '../../core/async/in-parallel';
import { audited } from '../audit/audited';
import { stampOf } from '../http/idempotency-key';
import { readBody, readQuery } from '../http/parse-request';
import { conflict, forbidden, invalidField, keyReused, type ProblemError, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { listByName } from '../http/list-by-name';

const MAX_KEYS = 100;
const DEFAULT_LIFE_MS = 365 * DAY_MS;

/** 201 with the new key, which no other response shows. */
export async function createApiKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, ApiKeyBody);
  const stamp = stampOf(request, body);
  const scopes = scopesFor(body, request);
  const createdAtMs = deps.clock.nowMs();
  const expiresAtMs = body.expiresAt ?? createdAtMs + DEFAULT_LIFE_MS;
  if (expiresAtMs <= createdAtMs) throw invalidField('expiresAt', 'must be later than now');
  const { keyId, key } = newKey(deps.random, stamp && keyIdFrom(Buffer.from(stamp.keyHash, 'base64url')));
  const row: ApiKey = {
    keyId,
    project: request.project,
    name: body.name,
    role: body.role,
    scopes,
    ...(body.queues && { queues: body.queues }),
    hash: keyHashOf(key),
    by: request.by,
    createdAtMs,
    expiresAtMs,
    ...(stamp && { idempotency: stamp }),
  };
  const detail = `name ${row.name}, role ${row.role}, scopes ${scopes.join(' ')}`;
  const change = { what: 'api-key.created', resource: row.keyId, detail } as const;
  await audited(request, change, () => store(row, stamp, deps), deps);
  const view: NewApiKeyView = { ...apiKeyView(row), key };
  return { status: 201, headers: { location: `/v1/api-keys/${row.keyId}` }, body: view };
}

/**
 * The scopes of the new key. Throws `ProblemError` 400 for scopes that the role does not have, and 403 for
 * rights that the creator does not have.
 */
function scopesFor({ role, scopes: named }: ApiKeyBody, request: ApiRequest): readonly KeyScope[] {
  const ofRole: readonly string[] = ROLE_SCOPES[role];
  const other = named?.findIndex((scope) => !ofRole.includes(scope)) ?? -1;
  if (named && other >= 0)
    throw invalidField(
      `scopes.${other}`,
      `${JSON.stringify(named[other])} is no scope of the role ${role}: must be one of ${ofRole.join(', ')}`,
    );
  const lacks = (scope: KeyScope) => !request.scopes.has(scope);
  const [wanted, required] = named ? [named, named] : [defaultKeyScopes(role), [MAIN_SCOPE[role]]];
  const missing = required.filter(lacks);
  if (missing.length > 0)
    throw forbidden(
      `a key has at most the rights of its creator, and your token lacks ${missing.join(', ')}`,
    );
  return wanted.filter((scope) => !lacks(scope));
}

/** The scope without which a role would be a lower one: its key is refused rather than made without it. */
const MAIN_SCOPE = {
  viewer: 'jobs:read',
  approver: 'runs:approve',
  worker: 'work',
  operator: 'runs:operate',
  editor: 'jobs:write',
} as const satisfies Record<ApiKey['role'], KeyScope>;

async function store(row: ApiKey, stamp: IdempotencyStamp | undefined, deps: ApiDeps): Promise<void> {
  const created = await withinDeadline(
    startDeadline(deps.clock),
    (options) => deps.apiKeys.create(row, MAX_KEYS, options),
    deps,
  );
  if (created.outcome === 'exists') throw replayed(created.current, stamp);
  if (created.outcome === 'too-many')
    throw conflict(`the project has ${MAX_KEYS} API keys, and may not have more; revoke one first`);
}

/** The secret of the first response cannot be shown again. */
function replayed(earlier: ApiKey, stamp: IdempotencyStamp | undefined): ProblemError {
  if (earlier.idempotency?.bodyHash !== stamp?.bodyHash) return keyReused();
  return conflict(
    `this Idempotency-Key has created the API key ${earlier.keyId}, which was shown once; revoke it and create another`,
  );
}

/** 200 with a page of the project's keys, by their ids. */
export async function listApiKeys(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListApiKeysQuery);
  const all = await deps.apiKeys.list(request.project);
  return listByName(all, { nameOf: ({ keyId }) => keyId, view: apiKeyView }, query, request, deps);
}

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

const apiKeyView = (key: ApiKey): ApiKeyView => ({
  keyId: key.keyId,
  name: key.name,
  role: key.role,
  scopes: [...key.scopes],
  queues: key.queues ? [...key.queues] : null,
  by: key.by,
  createdAt: instantText(key.createdAtMs),
  expiresAt: instantText(key.expiresAtMs),
  lastUsedOn: key.lastUsedOn ?? null,
});
