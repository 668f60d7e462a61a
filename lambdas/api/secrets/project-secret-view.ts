import { instantText } from '../../core/clock/clock';
import { SECRET_NAME } from '../../core/domain/secret-reference';
import type { Secret } from '../../core/domain/secret';
import type { SecretView } from '../../core/http/secret-answers';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

const MAX_USERS = 100;

/** The secret that the path names. Throws `ProblemError` 404. */
export async function requestedSecret({ params, project }: ApiRequest, deps: ApiDeps): Promise<Secret> {
  const { name = '' } = params;
  const secret = SECRET_NAME.test(name) ? await deps.secrets.get(project, name) : undefined;
  if (!secret) throw notFound('secret');
  return secret;
}

/** A secret without its value, and the jobs that use it. */
export async function projectSecretView(secret: Secret, { uses }: ApiDeps): Promise<SecretView> {
  const { project, name, hosts, updatedAtMs, by } = secret;
  const users = await uses.list(project, 'secret', name, { limit: MAX_USERS + 1 });
  return {
    name,
    hosts: [...hosts],
    updatedAt: instantText(updatedAtMs),
    by,
    users: users.slice(0, MAX_USERS).map(({ jobId }) => jobId),
    hasMoreUsers: users.length > MAX_USERS,
  };
}
