import { ListApiKeysQuery } from '../../core/http/queries';
import type { ApiKey } from '../../core/domain/api-key';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { apiKeyView } from './api-key-view';

/** 200 with a page of the project's keys, by their ids. A project has so few that all are read. */
export async function listApiKeys(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { limit, cursor } = readQuery(request, ListApiKeysQuery);
  const after = await openCursor(cursor, request, deps.secret);
  const all = await deps.apiKeys.list(request.project);
  const rest = after === undefined ? all : all.filter(({ keyId }) => keyId > after);
  const items = rest.slice(0, limit);
  const page = { items, nextAfter: items.length < rest.length ? items.at(-1)?.keyId : undefined };
  const positionOf = ({ keyId }: ApiKey) => keyId;
  return { status: 200, body: await pageView(page, { view: apiKeyView, positionOf }, request, deps) };
}
