import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { routeOf } from '../../test/support/route-of';

/** A request without parameters, headers and body. */
export const incomingOf = (operation: Operation): Omit<IncomingRequest, 'caller'> => ({
  route: routeOf(operation),
  requestId: 'request',
  params: {},
  query: new Map(),
  headers: {},
  body: undefined,
});

/** The response. Throws if it is no success. */
export function succeeded(operation: Operation, response: ApiResponse): ApiResponse {
  if (response.status < 300) return response;
  throw new Error(`${operation}: ${JSON.stringify(response.body)}`);
}
