import { quotas } from '../../../lambdas/api/jobs/charge-quotas';
import type { ApiRequest, ApiResponse } from '../../../lambdas/api/request';
import { serveRequest } from '../../../lambdas/api/serve-request';
import type { Operation } from '../../../lambdas/core/contracts/routes';
import { callerOf } from '../../support/caller';
import { noQuotas } from '../../support/no-quotas';
import { routeOf } from '../../support/route-of';
import { ApiWorld } from './world';

/** Serves requests of one minute, in which a project may send so many. */
function serving(requestsPerMinute: number) {
  const world = new ApiWorld();
  const limits = { ...noQuotas.quotaLimits, requestsPerMinute };
  const deps = { ...world.deps, quotas: quotas(limits, { usage: world.deps.usage, clock: world.clock }) };
  const serve = (operation: Operation, heldMs: number, status = 200): Promise<ApiResponse> => {
    const operate = async (_: ApiRequest): Promise<ApiResponse> => {
      await world.clock.advance(heldMs);
      if (status !== 200) throw new Error('slow and broken');
      return { status };
    };
    const route = routeOf(operation);
    const caller = callerOf('alice', 'jobs:read', 'work');
    const request = { route, requestId: 'r', ...caller, params: {}, query: new Map(), headers: {} };
    return serveRequest(request, operate, deps);
  };
  return serve;
}

describe('a request that holds its process', () => {
  it.each([200, 500])('counts once more for each 100 ms, also if it ends with %d', async (status) => {
    const serve = serving(12);
    expect((await serve('listJobs', 1_050, status)).status).toBe(status);
    expect((await serve('listJobs', 99)).status).toBe(200);
    expect((await serve('listJobs', 0)).status).toBe(429);
  });

  it('is answered although the minute has no room for its time', async () => {
    expect((await serving(5)('listJobs', 3_000)).status).toBe(200);
  });

  it('counts once if it is a claim, which has a seat while it waits', async () => {
    const serve = serving(2);
    expect((await serve('claimWork', 20_000)).status).toBe(200);
    expect((await serve('claimWork', 0)).status).toBe(200);
  });
});
