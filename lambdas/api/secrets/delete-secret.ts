import { DeleteSecretQuery } from '../../core/http/queries';
import { secretNamesOfJob } from '../../core/domain/target-secrets';
import type { Secret } from '../../core/domain/secret';
import { audited } from '../audit/audited';
import { readQuery } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedSecret } from './project-secret-view';

const PAGE = 25;

/** 204. Throws `ProblemError` 409 if a job uses the secret, unless `force` is true. */
export async function deleteSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { force } = readQuery(request, DeleteSecretQuery);
  const secret = await requestedSecret(request, deps);
  const change = { what: 'secret.deleted', resource: secret.name } as const;
  await audited(request, change, () => removeUnused(secret, force, deps), deps);
  return { status: 204 };
}

async function removeUnused(secret: Secret, force: boolean, deps: ApiDeps): Promise<void> {
  const user = force ? undefined : await firstUserOf(secret, deps);
  if (user !== undefined)
    throw conflict(
      `the job ${JSON.stringify(user)} uses the secret ${JSON.stringify(secret.name)}: change the job, or repeat with ?force=true`,
    );
  await deps.secrets.remove(secret.project, secret.name);
}

/** A job that uses the secret now. Rows may be left over, so each job is read. */
async function firstUserOf({ project, name }: Secret, deps: ApiDeps): Promise<string | undefined> {
  let after: string | undefined;
  do {
    const uses = await deps.uses.list(project, 'secret', name, {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    const jobs = await Promise.all(uses.map(({ jobId }) => deps.jobs.get({ userId: project, jobId })));
    const user = jobs.find((job) => job && secretNamesOfJob(job).includes(name));
    if (user) return user.jobId;
    after = uses.length === PAGE ? uses.at(-1)?.jobId : undefined;
  } while (after !== undefined);
  return undefined;
}
