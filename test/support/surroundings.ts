import type { ApiDeps } from '../../lambdas/api/request';
import type { Sampling } from '../../lambdas/core/contracts/otlp';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import { sealAttemptToken } from '../../lambdas/core/delivery/attempt-token';
import type { CallSecrets } from '../../lambdas/core/delivery/call/call-with-secrets';
import { tlsAgents } from '../../lambdas/core/delivery/call/tls-agents';
import { traceHeadersOf } from '../../lambdas/core/delivery/trace-ids';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { startErrand } from '../../lambdas/executor/start-errand';
import type { SweeperDeps } from '../../lambdas/sweeper/recheck';
import { AWS_POLICY } from './aws-policy';
import { noQuotas } from './no-quotas';
import { publicNames } from './public-names';

const SECRET = Buffer.alloc(32, 7);

/** What the API needs besides `compose`: a fixed secret, and names that resolve to public addresses. */
export const apiSurroundings: Pick<
  ApiDeps,
  'emails' | 'secret' | 'sealingKeys' | 'deployment' | 'settings' | 'resolve' | 'queues' | 'cpuMs'
> = {
  emails: {
    subscribe: async () => 'subscribed',
    projectOf: async () => undefined,
    unsubscribe: async () => undefined,
  },
  secret: { get: async () => SECRET },
  sealingKeys: { current: async () => ({ version: 'v1', secret: SECRET }), version: async () => undefined },
  deployment: { stage: 'test', version: '0.0.0', quotas: noQuotas.quotaLimits, dashboardUrl: '/metrics' },
  settings: { targetPolicy: 'public', awsTargets: AWS_POLICY, pools: [DEFAULT_POOL] },
  resolve: publicNames,
  cpuMs: () => 0,
  queues: { names: [], status: async () => [], oldestSec: async () => new Map(), redrive: async () => 0 },
};

/** The ids of traces by the fixed secret. */
export const traceHeadersWith =
  (sampling: Sampling | null): ExecutorDeps['traceHeaders'] =>
  async (execution, of, target) =>
    traceHeadersOf(execution, of, target, { secret: SECRET, sampling });

/** What an executor needs besides `compose` and a target. */
export const executorSurroundings: Pick<
  ExecutorDeps,
  | 'callMeter'
  | 'errandStarts'
  | 'exceedsLaneLimit'
  | 'logLimits'
  | 'reportBy'
  | 'secretUrl'
  | 'signingSecrets'
  | 'startErrand'
  | 'traceHeaders'
> = {
  callMeter: { begin: () => () => undefined, saved: async () => undefined },
  exceedsLaneLimit: async () => false,
  errandStarts: {
    prefix: 'qj-000000',
    faultOf: () => undefined,
    start: async () => Promise.reject(new Error('no errand is expected')),
  },
  startErrand,
  logLimits: noQuotas.quotaLimits,
  traceHeaders: traceHeadersWith(null),
  secretUrl: async () => undefined,
  signingSecrets: async () => ({ host: [`whsec_${Buffer.alloc(32).toString('base64')}`], legacy: [] }),
  reportBy: async (lease, by) => ({
    callbackUrl: 'https://api.example.com/v1/attempts',
    token: sealAttemptToken(lease, SECRET, by),
  }),
};

/** For calls of targets that use no secret. */
export const noSecrets: CallSecrets = {
  read: async () => undefined,
  tokens: { get: async () => Promise.reject(new Error('no token is expected')) },
  agents: tlsAgents(),
};

/** What a sweeper needs besides `compose`, where there are no errands. */
export const noProbes: Pick<SweeperDeps, 'probes'> = {
  probes: { mayProbe: () => true, order: async () => Promise.reject(new Error('no probe is expected')) },
};
