import { OrderingKeyBody } from '../../core/http/job';
import { unblockKey } from './unblock-key';
import { orderingKeyView } from './ordering-key-view';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200. The failed execution that blocks the key stays failed, and the next one starts. A free key stays as it
 * is.
 */
export async function unblockOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readBody(request, OrderingKeyBody);
  const ref = { userId: request.project, orderingKey };
  const { holder } = await deps.ordering.peek(ref, 1);
  if (holder) await unblockKey(holder, deps);
  return { status: 200, body: await orderingKeyView(ref, deps) };
}
