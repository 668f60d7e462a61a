import type { ConcurrencyKey } from '../../core/domain/concurrency-key';
import { DeleteConcurrencyKeyQuery } from '../../core/http/queries';
import { usersOf } from '../jobs/users-of';
import { audited } from '../audit/audited';
import { readQuery } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedKey } from './concurrency-key-view';

/** 204. Throws `ProblemError` 409 if a job uses the key, unless `force` is true. */
export async function deleteConcurrencyKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { force } = readQuery(request, DeleteConcurrencyKeyQuery);
  const key = await requestedKey(request, deps);
  const change = { what: 'concurrency-key.deleted', resource: key.name } as const;
  await audited(request, change, () => removeUnused(key, force, deps), deps);
  return { status: 204 };
}

async function removeUnused(key: ConcurrencyKey, force: boolean, deps: ApiDeps): Promise<void> {
  const thing = { kind: 'concurrency-key', name: key.name } as const;
  const [user] = force ? [] : await usersOf(key.userId, thing, 1, deps);
  if (user !== undefined)
    throw conflict(
      `the job ${JSON.stringify(user)} uses the concurrency key ${JSON.stringify(key.name)}: change the job, or repeat with ?force=true`,
    );
  await deps.concurrency.removeKey({ userId: key.userId, concurrencyKey: key.name });
}
