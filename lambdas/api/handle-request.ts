import type { IncomingRequest } from './admit';
import { OPERATIONS } from './operations';
import type { ApiDeps, ApiResponse } from './request';
import { serveRequest } from './serve-request';

/** Handles one request by the operation of its route. Never rejects: errors become problems. */
export const handleRequest = (incoming: IncomingRequest, deps: ApiDeps): Promise<ApiResponse> =>
  serveRequest(incoming, OPERATIONS[incoming.route.operation], deps);
