import * as z from 'zod/mini';

import { isSampled } from '../core/delivery/trace-ids';
import { parseTraceContext, SAMPLED_FLAG, type TraceContext } from '../core/domain/trace';
import { QUERIES } from '../core/http/queries';
import { recordDenial } from './audit/record-denial';
import { admit, type IncomingRequest } from './admit';
import { admitWrites, isBoundByWrites } from './admit-writes';
import { conditional } from './http/etag';
import { checkEncoding, readQuery } from './http/parse-request';
import { noteOf } from './http/author';
import { ProblemError, problemOf, problemResponse } from './http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from './request';

const NO_QUERY = z.strictObject({});
/** Each of these that a request holds its process counts as one more request. */
const HELD_MS = 100;

/** What serving a request needs, whatever its operation is. */
type ServingDeps = Pick<
  ApiDeps,
  'audit' | 'clock' | 'log' | 'mayRecord' | 'quotas' | 'retentionDays' | 'written'
>;

/**
 * Serves one request by an operation: says whose it is, and runs it. Never rejects: errors become problems.
 */
export async function serveRequest<Deps extends ServingDeps>(
  incoming: IncomingRequest,
  operate: (request: ApiRequest, deps: Deps) => Promise<ApiResponse>,
  deps: Deps,
): Promise<ApiResponse> {
  const startedMs = deps.clock.monotonicMs();
  let charged = '';
  try {
    const admitted = admit(incoming, deps.clock.nowMs());
    const request: ApiRequest = { ...admitted, trace: async () => traceOf(admitted, deps) };
    checkEncoding(request);
    noteOf(request); // a bad one is refused on every route, also where no change would keep it
    // An operator must reach a deployment that is in trouble. Reports of attempts have a quota of their own.
    if (request.project !== '') await deps.quotas.chargeRate(request.project, 'requests');
    if (isBoundByWrites(request.route)) await admitWrites(request.project, deps);
    if (request.route.auth !== 'work') charged = request.project; // claims wait in seats of their own
    if (!Object.hasOwn(QUERIES, incoming.route.operation)) readQuery(request, NO_QUERY);
    const answer = () => operate(request, deps);
    return conditional(request, charged === '' ? await answer() : await deps.written.during(charged, answer));
  } catch (error) {
    const problem = problemOf(error, incoming, deps.log);
    if (problem.status === 403) await recordDenial(incoming, problem, deps);
    return problemResponse(problem, incoming);
  } finally {
    if (charged !== '') await chargeHeld(charged, deps.clock.monotonicMs() - startedMs, deps);
  }
}

/** A recorded trace costs the operator. A project that asks for too many of them gets the rest unrecorded. */
function traceOf(
  { headers, project }: ApiRequest,
  { mayRecord = () => true }: Pick<ServingDeps, 'mayRecord'>,
): TraceContext | undefined {
  const trace = parseTraceContext(headers['traceparent'], headers['tracestate']);
  if (!trace || !isSampled(trace) || mayRecord(project)) return trace;
  return { ...trace, flags: trace.flags & ~SAMPLED_FLAG };
}

/**
 * Charges the time for which a request has held its process, whatever became of it. The request is answered
 * already: what the minute has no room for, or cannot be stored, is left out.
 */
async function chargeHeld(project: string, heldMs: number, { quotas, log }: ServingDeps): Promise<void> {
  const more = Math.floor(heldMs / HELD_MS);
  if (more === 0) return;
  try {
    await quotas.chargeRate(project, 'requests', more);
  } catch (error) {
    if (!(error instanceof ProblemError)) log.warn('the time of a request was not charged', { error });
  }
}
