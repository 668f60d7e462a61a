import { inParallel } from '../../core/async/in-parallel';
import type { SecretView } from '../../core/http/secret-answers';
import { ListSecretsQuery } from '../../core/http/queries';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { projectSecretView } from './project-secret-view';

const CONCURRENCY = 10;

/** 200 with a page of the project's secrets by name, without their values. */
export async function listSecrets(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { cursor, limit } = readQuery(request, ListSecretsQuery);
  const after = (await openCursor(cursor, request, deps.secret)) ?? '';
  const rest = (await deps.secrets.list(request.project)).filter(({ name }) => name > after);
  const items: SecretView[] = [];
  await inParallel(rest.slice(0, limit).entries(), CONCURRENCY, async ([index, secret]) => {
    items[index] = await projectSecretView(secret, deps);
  });
  const nextAfter = rest.length > limit ? items.at(-1)?.name : undefined;
  const show = { view: (item: SecretView) => item, positionOf: ({ name }: SecretView) => name };
  return {
    status: 200,
    body: await pageView({ items, ...(nextAfter !== undefined && { nextAfter }) }, show, request, deps),
  };
}
