import { SecretBody, SecretPath } from '../../core/http/secret';
import { seal } from '../../core/delivery/secrets/seal';
import { MAX_SECRETS, type Secret, withNewValue } from '../../core/domain/secret';
import { audited } from '../audit/audited';
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
  const { name } = parseWith(request.params, SecretPath);
  const body = bodyOf(request);
  const change = { what: 'secret.set', resource: name, detail: `hosts ${body.hosts.join(', ')}` } as const;
  const { secret, isNew } = await audited(request, change, () => store(name, body, request, deps), deps);
  return { status: isNew ? 201 : 200, body: await projectSecretView(secret, deps) };
}

async function store(
  name: string,
  { value, hosts }: SecretBody,
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
      hosts,
      updatedAtMs: deps.clock.nowMs(),
      by,
    });
    if ((await deps.secrets.put(secret, before?.version)) === 'put') return { secret, isNew: !before };
  }
  throw conflict('other requests keep changing the secret; repeat the request');
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
