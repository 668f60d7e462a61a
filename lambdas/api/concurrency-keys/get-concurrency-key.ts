import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { concurrencyKeyView, requestedKey } from './concurrency-key-view';

/** 200 with a concurrency key, the executions that hold its slots, and the first that wait. */
export const getConcurrencyKey = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  body: await concurrencyKeyView(await requestedKey(request, deps), deps),
});
