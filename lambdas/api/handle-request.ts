import * as z from 'zod/mini';

import { QUERIES } from '../core/http/queries';
import { ROUTES } from '../core/contracts/routes';
import { OPERATIONS } from './operations';
import { forbidden, notFound, problemOf, problemResponse } from './http/problem';
import { readQuery } from './http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from './request';

const NO_QUERY = z.strictObject({});

/**
 * Keys begin with their user: its encoded form must leave room for the rest of an entry's sort key (1,024
 * bytes).
 */
const MAX_ENCODED_USER = 512;

/** Answers one request. Never rejects: what goes wrong is a problem, and its cause is logged. */
export async function handleRequest(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  try {
    authorize(request);
    if (!Object.hasOwn(QUERIES, request.operation)) readQuery(request, NO_QUERY);
    return await OPERATIONS[request.operation](request, deps);
  } catch (error) {
    return problemResponse(problemOf(error, request, deps.log), request.requestId);
  }
}

/** API Gateway has verified the token; what it allows is checked here, by the route. Throws `ProblemError` 403. */
function authorize({ operation, userId, scopes }: ApiRequest): void {
  const auth = ROUTES.find((route) => route.operation === operation)?.auth;
  if (auth === 'none' || auth === 'attempt') return; // an attempt's token names no user: its operation judges it
  if (auth === undefined) throw notFound('route');
  if (!isUser(userId))
    throw forbidden('the token names no user: its claim "sub" must be 1 to 512 characters');
  if (!scopes.has(auth)) throw forbidden(`the token lacks the scope ${auth}`);
}

function isUser(userId: string): boolean {
  if (userId === '' || /\p{Surrogate}/u.test(userId)) return false;
  return encodeURIComponent(userId).length <= MAX_ENCODED_USER;
}
