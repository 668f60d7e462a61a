import { SecretBody, SecretPath } from '../../core/http/secret';
import { seal } from '../../core/delivery/secrets/seal';
import { MAX_SECRETS, withNewValue } from '../../core/domain/secret';
import { parseWith, readBody } from '../http/parse-request';
import { conflict, invalidField, ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { projectSecretView } from './project-secret-view';

const MAX_TRIES = 5;

/**
 * 201 with a new secret, or 200 with a replaced one. If another request replaces it meanwhile, the last one
 * wins. Throws `ProblemError` 409 if the project has as many secrets as it may have.
 */
export async function putSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { project, by } = request;
  const { name } = parseWith(request.params, SecretPath);
  const { value, hosts } = bodyOf(request);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await deps.secrets.get(project, name);
    if (!before) await checkCount(project, deps);
    const secret = withNewValue(before, {
      project,
      name,
      version: deps.random.id(),
      sealed: await seal(deps.sealingKeys, { project, name }, value, deps.random),
      hosts,
      updatedAtMs: deps.clock.nowMs(),
      by,
    });
    if ((await deps.secrets.put(secret, before?.version)) === 'changed') continue;
    return { status: before ? 200 : 201, body: await projectSecretView(secret, deps) };
  }
  throw conflict('other requests keep changing the secret; repeat the request');
}

/** The parser quotes a body that is no JSON. Here it may be the secret. */
function bodyOf(request: ApiRequest) {
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
