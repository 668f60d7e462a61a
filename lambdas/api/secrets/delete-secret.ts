import { DeleteSecretQuery } from '../../core/http/queries';
import type { Secret } from '../../core/domain/secret';
import { usersOf } from '../jobs/users-of';
import { audited } from '../audit/audited';
import { readQuery } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedSecret } from './project-secret-view';

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
      `the job ${JSON.stringify(user)} uses the secret ${JSON.stringify(secret.name)}: change the job, or repeat with ?force=true`,
    );
  await deps.secrets.remove(secret.project, secret.name);
}
