import * as z from 'zod/mini';

import { QUERIES } from '../core/http/queries';
import { OPERATIONS } from './operations';
import { forbidden, problemOf, problemResponse } from './http/problem';
import { readQuery } from './http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from './request';

const NO_QUERY = z.strictObject({});

/**
 * Keys begin with their project. The encoded project must leave room for the rest of an entry's sort key,
 * which has at most 1,024 bytes.
 */
const MAX_ENCODED_PROJECT = 512;

/**
 * Handles one request: checks the token, runs the route's operation. Never rejects: errors become problems.
 */
export async function handleRequest(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { operation } = request.route;
  try {
    authorize(request);
    if (isCounted(request)) await deps.quotas.chargeRate(request.project, 'requests');
    if (!Object.hasOwn(QUERIES, operation)) readQuery(request, NO_QUERY);
    return await OPERATIONS[operation](request, deps);
  } catch (error) {
    return problemResponse(problemOf(error, request, deps.log), request.requestId);
  }
}

/** API Gateway has verified the token. What it allows is checked here. Throws `ProblemError` 403. */
function authorize({ route: { auth }, project, scopes }: ApiRequest): void {
  // The token of an attempt names no user: its operation checks it.
  if (auth === 'none' || auth === 'attempt') return;
  if (!isProject(project))
    throw forbidden(
      'the token names no user: its claim "sub" must be 1 to 512 characters, and not begin with "#" or "quarterjack-"',
    );
  if (!scopes.has(auth)) throw forbidden(`the token lacks the scope ${auth}`);
}

/** An operator must reach a deployment that is in trouble, and the token of an attempt names no user. */
const isCounted = ({ route: { auth } }: ApiRequest): boolean =>
  auth !== 'none' && auth !== 'attempt' && auth !== 'admin';

function isProject(project: string): boolean {
  if (project === '' || /\p{Surrogate}/u.test(project)) return false;
  return encodeURIComponent(project).length <= MAX_ENCODED_PROJECT;
}
