import { OrderingKeyQuery } from '../../core/http/queries';
import { orderingKeyView } from './ordering-key-view';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** Who has an ordering key, whether it is blocked, and who waits. The key is no path segment: it may hold any character. */
export async function getOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readQuery(request, OrderingKeyQuery);
  const { userId } = request;
  return { status: 200, body: await orderingKeyView({ userId, orderingKey }, deps) };
}
