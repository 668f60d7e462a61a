import * as z from 'zod/mini';

import { QUERIES } from '../core/http/queries';
import { admit, type IncomingRequest } from './admit';
import { OPERATIONS } from './operations';
import { problemOf, problemResponse } from './http/problem';
import { readQuery } from './http/parse-request';
import type { ApiDeps, ApiResponse } from './request';

const NO_QUERY = z.strictObject({});

/**
 * Handles one request: says whose it is, and runs the route's operation. Never rejects: errors become
 * problems.
 */
export async function handleRequest(incoming: IncomingRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { operation } = incoming.route;
  try {
    const request = admit(incoming, deps.clock.nowMs());
    // An operator must reach a deployment that is in trouble, and the token of an attempt names no project.
    if (request.project !== '') await deps.quotas.chargeRate(request.project, 'requests');
    if (!Object.hasOwn(QUERIES, operation)) readQuery(request, NO_QUERY);
    return await OPERATIONS[operation](request, deps);
  } catch (error) {
    return problemResponse(problemOf(error, incoming, deps.log), incoming.requestId);
  }
}
