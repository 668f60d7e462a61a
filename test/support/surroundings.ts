import type { ApiDeps } from '../../lambdas/api/request';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import { sealAttemptToken } from '../../lambdas/core/delivery/attempt-token';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { AWS_POLICY } from './aws-policy';
import { noQuotas } from './no-quotas';
import { publicNames } from './public-names';

const SECRET = Buffer.alloc(32, 7);

/** What the API needs besides `compose`: a fixed secret, and names that resolve to public addresses. */
export const apiSurroundings: Pick<ApiDeps, 'secret' | 'deployment' | 'settings' | 'resolve' | 'queues'> = {
  secret: { get: async () => SECRET },
  deployment: { stage: 'test', version: '0.0.0', quotas: noQuotas.quotaLimits },
  settings: { targetPolicy: 'public', awsTargets: AWS_POLICY, pools: [DEFAULT_POOL] },
  resolve: publicNames,
  queues: { names: [], status: async () => [], redrive: async () => 0 },
};

/** What an executor needs besides `compose` and a target. */
export const executorSurroundings: Pick<ExecutorDeps, 'signingSecrets' | 'reportBy'> = {
  signingSecrets: async () => [`whsec_${Buffer.alloc(32).toString('base64')}`],
  reportBy: async (lease, target) => ({
    callbackUrl: 'https://api.example.com/v1/attempts',
    token: sealAttemptToken(lease, SECRET, target),
  }),
};
