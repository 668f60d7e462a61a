import { handleRequest } from '../../../lambdas/api/handle-request';
import { requestOf, resultOf } from '../../../lambdas/api/http/http-event';
import { contextOfClaims } from '../../support/caller';
import { pingIdOf } from '../../../lambdas/core/api-keys/ping-key';
import { apiContract } from '../../support/api-contract';
import { fuzz, type Send } from '../../support/fuzz/fuzz';
import { IS_DEEP } from '../../support/deep';
import { AWS_POLICY } from '../../support/aws-policy';
import { aRunState } from '../../support/workflow-factories';
import { ApiWorld } from '../../unit/api/world';

const RUNS = IS_DEEP ? 20_000 : 2_000;
const SIGN_IN = {
  issuer: 'https://login.example.com',
  authorizationEndpoint: '/authorize',
  tokenEndpoint: '/token',
  clientId: 'cli',
  scopes: ['openid'],
  callbackUrls: ['http://localhost:8788/callback'],
  version: '1.0.0',
};
/** One round asks all. More ask those that have not succeeded yet: few of their requests are right. */
const MAX_ROUNDS = 24;
const BUDGET_MS = IS_DEEP ? 600_000 : 60_000;

/** These operations, and the others of their paths: one of them may make what another reads. */
function besides(routeKeys: readonly string[]): string[] {
  const pathOf = (routeKey: string) => routeKey.split(' ')[1];
  const paths = new Set(routeKeys.map(pathOf));
  return apiContract().routeKeys.filter((routeKey) => paths.has(pathOf(routeKey)));
}

/** As an executor does: only a run that has started has tasks. */
async function startIfRun(world: ApiWorld, jobId: string, execId: string): Promise<void> {
  const job = await world.jobRow(jobId, 'fuzz');
  if (!job?.workflow) return;
  const nowMs = world.clock.nowMs();
  const lease = { jobKey: world.jobKey(jobId, 'fuzz'), execId, claimId: 'claim-1', attempt: 1 };
  const claim = { ...lease, trigger: 'manual', dueAtMs: nowMs, nowMs } as const;
  const claimed = await world.deps.executions.claim(claim);
  if (claimed.outcome !== 'claimed') return;
  const { version, number } = job.workflow;
  await world.deps.runs.start({ ...lease, fence: claimed.execution.fence }, aRunState({ version, number }));
  const fanOut = { jobKey: lease.jobKey, execId: `${execId}/load` };
  const head = { count: 2, next: 2, laidOutAtMs: nowMs, movedAtMs: nowMs, sums: {} };
  await world.deps.fanOuts.putItems(fanOut, 0, { count: 2, items: ['a', 'b'] }, 2e9);
  await world.deps.fanOuts.putHead(fanOut, head, 2e9);
}

test(
  'whatever the API is asked, its answer is one that the document names, and never a 500',
  async () => {
    const world = new ApiWorld({
      settings: { targetPolicy: 'loopback', awsTargets: AWS_POLICY, pools: ['default'], signIn: SIGN_IN },
    });
    const send: Send = async ({ routeKey, pathParameters, query, headers, body }) => {
      const isText = /^(text\/|application\/json)/.test(headers['content-type'] ?? '');
      const request = requestOf({
        routeKey,
        rawQueryString: new URLSearchParams(query).toString(),
        headers,
        pathParameters,
        body: body === undefined || isText ? body : Buffer.from(body).toString('base64'),
        isBase64Encoded: body !== undefined && !isText,
        requestContext: {
          requestId: 'r',
          authorizer: { lambda: contextOfClaims({ sub: 'fuzz', scope: 'jobs:read jobs:write' }) },
        },
      });
      const result = resultOf(await handleRequest(request!, world.deps));
      const answer = {
        status: result.statusCode,
        headers: result.headers,
        body: result.body === undefined ? undefined : JSON.parse(result.body),
      };
      if (routeKey === 'POST /v1/jobs/{jobId}/run' && answer.body?.execId) {
        await startIfRun(world, pathParameters.jobId!, answer.body.execId);
      }
      return answer;
    };
    // An owner has given the project its key for pings: the token of the fuzz is none.
    const pingId = pingIdOf({ userId: 'fuzz' }, await world.deps.secret.get());
    const key = { pingId, userId: 'fuzz', name: 'pings', allowCreate: false, setBy: 'fuzz', createdAtMs: 1 };
    await world.deps.pingKeys.putOfProject(key, false);
    // a fuzz that only ever meets refusals proves nothing
    let unproven: string[] = [];
    for (let seed = 1; seed <= MAX_ROUNDS && (seed === 1 || unproven.length > 0); seed++) {
      const budget = { nowMs: world.clock.nowMs(), seed, numRuns: RUNS, budgetMs: BUDGET_MS };
      const asked = seed === 1 ? {} : { routeKeys: besides(unproven) };
      const { neverSucceeded } = await fuzz(apiContract(), send, { ...budget, ...asked });
      unproven = seed === 1 ? neverSucceeded : unproven.filter((key) => neverSucceeded.includes(key));
    }
    expect(unproven).toEqual([]);
  },
  BUDGET_MS + 30_000,
);
