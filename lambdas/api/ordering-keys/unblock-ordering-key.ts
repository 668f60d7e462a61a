import { OrderingKeyBody } from '../../core/http/job';
import { unblock } from '../../core/ending/unblock';
import { orderingKeyView } from './ordering-key-view';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** The failed execution that blocks an ordering key stays failed; the next one goes on. Where nothing blocks, nothing changes. */
export async function unblockOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readBody(request, OrderingKeyBody);
  const line = { userId: request.userId, orderingKey };
  const { holder } = await deps.ordering.peek(line, 1);
  if (holder) await unblock(holder, deps);
  return { status: 200, body: await orderingKeyView(line, deps) };
}
