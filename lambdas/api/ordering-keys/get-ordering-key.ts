import { OrderingKeyQuery } from '../../core/http/queries';
import { orderingKeyView } from './ordering-key-view';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with the state of an ordering key. The key is a query parameter because it may contain any character.
 */
export async function getOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readQuery(request, OrderingKeyQuery);
  return { status: 200, body: await orderingKeyView({ userId: request.project, orderingKey }, deps) };
}
