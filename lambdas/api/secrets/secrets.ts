import type { SecretView } from '../../core/http/openapi/secret';
import { ListSecretsQuery, DeleteSecretQuery } from '../../core/http/queries';
import { SecretBody, SecretPath } from '../../core/http/secret';
import { PemError, pemContentOf } from '../../core/delivery/secrets/pem';
import { seal } from '../../core/delivery/secrets/seal';
import { secretKindOf, MAX_SECRETS, type Secret, withNewValue } from '../../core/domain/secret';
import { instantText } from '../../core/clock/clock';
import { SECRET_NAME } from '../../core/domain/secret-reference';
import { listByName } from '../http/list-by-name';
import { readQuery, parseWith, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { audited } from '../audit/audited';
import { conflict, invalidField, ProblemError, notFound } from '../http/problem';
import { usersOf } from '../jobs/users-of';

/** 200 with a page of the project's secrets by name, without their values. */
export async function listSecrets(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListSecretsQuery);
  const all = await deps.secrets.list(request.project);
  const view = (secret: Secret) => projectSecretView(secret, deps);
  return listByName(all, { nameOf: ({ name }) => name, view }, query, request, deps);
}

/** 200 with a secret, without its value. */
export const getSecret = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  body: await projectSecretView(await requestedSecret(request, deps), deps),
});

const MAX_TRIES = 5;

/**
 * 201 with a new secret, or 200 with a replaced one. If another request replaces it meanwhile, the last one
 * wins. Throws `ProblemError` 409 if the project has as many secrets as it may have.
 */
export async function putSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { name } = parseWith(request.params, SecretPath);
  const body = bodyOf(request);
  checkPem(body);
  const kind = body.kind === 'pem' ? 'pem, ' : '';
  const change = {
    what: 'secret.set',
    resource: name,
    detail: `${kind}hosts ${body.hosts.join(', ')}`,
  } as const;
  const { secret, isNew } = await audited(request, change, () => store(name, body, request, deps), deps);
  return { status: isNew ? 201 : 200, body: await projectSecretView(secret, deps) };
}

async function store(
  name: string,
  { value, kind, hosts }: SecretBody,
  { project, by }: ApiRequest,
  deps: ApiDeps,
): Promise<{ secret: Secret; isNew: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await deps.secrets.get(project, name);
    if (!before) await checkCount(project, deps);
    const secret = withNewValue(before, {
      project,
      name,
      version: deps.random.id(),
      sealed: await seal(deps.sealingKeys, { project, name }, value, deps.random),
      ...(kind === 'pem' && { pem: pemContentOf(value) }),
      hosts,
      updatedAtMs: deps.clock.nowMs(),
      by,
    });
    if ((await deps.secrets.put(secret, before?.version)) === 'put') return { secret, isNew: !before };
  }
  throw conflict('other requests keep changing the secret; repeat the request');
}

/** Throws `ProblemError` 400, without the value. */
function checkPem({ kind, value }: SecretBody): void {
  try {
    if (kind === 'pem') pemContentOf(value);
  } catch (error) {
    if (error instanceof PemError) throw invalidField('value', error.message);
    throw error;
  }
}

/** The parser quotes a body that is no JSON. Here it may be the secret. */
function bodyOf(request: ApiRequest): SecretBody {
  try {
    return readBody(request, SecretBody);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 400 && error.errors?.[0]?.path === 'body')
      throw invalidField('body', 'must be a JSON object with value and hosts');
    throw error;
  }
}

/** Two requests at the same time may each add one: the bound is no promise to the byte. */
async function checkCount(project: string, { secrets }: ApiDeps): Promise<void> {
  if ((await secrets.list(project)).length >= MAX_SECRETS)
    throw conflict(`a project has at most ${MAX_SECRETS} secrets; delete one that no job uses`);
}

/** 204. Throws `ProblemError` 409 if a job uses the secret, unless `force` is true. */
export async function deleteSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { force } = readQuery(request, DeleteSecretQuery);
  const secret = await requestedSecret(request, deps);
  const change = { what: 'secret.deleted', resource: secret.name } as const;
  await audited(request, change, () => removeUnused(secret, force, deps), deps);
  return { status: 204 };
}

async function removeUnused(secret: Secret, force: boolean, deps: ApiDeps): Promise<void> {
  const thing = { kind: 'secret', name: secret.name } as const;
  const [user] = force ? [] : await usersOf(secret.project, thing, 1, deps);
  if (user !== undefined)
    throw conflict(
      `the job ${JSON.stringify(user)} uses the secret ${JSON.stringify(secret.name)}: change the job, or repeat with force=true (in the CLI: --force)`,
    );
  await deps.secrets.remove(secret.project, secret.name);
}

const MAX_USERS = 100;

/** The secret that the path names. Throws `ProblemError` 404. */
async function requestedSecret({ params, project }: ApiRequest, deps: ApiDeps): Promise<Secret> {
  const { name = '' } = params;
  const secret = SECRET_NAME.test(name) ? await deps.secrets.get(project, name) : undefined;
  if (!secret) throw notFound('secret');
  return secret;
}

/** A secret without its value, and the jobs that use it. */
async function projectSecretView(secret: Secret, { uses }: ApiDeps): Promise<SecretView> {
  const { project, name, pem, hosts, updatedAtMs, by } = secret;
  const users = await uses.list(project, 'secret', name, { limit: MAX_USERS + 1 });
  return {
    name,
    kind: secretKindOf(secret),
    validUntil: pem?.validUntilMs === undefined ? null : instantText(pem.validUntilMs),
    hosts: [...hosts],
    updatedAt: instantText(updatedAtMs),
    by,
    users: users.slice(0, MAX_USERS).map(({ jobId }) => jobId),
    hasMoreUsers: users.length > MAX_USERS,
  };
}
