import { ExecutorEnv } from '../core/contracts/env';
import { ExecutionMessage } from '../core/contracts/messages';
import { routeToOverflow } from '../core/queue/user-rate-limit';
import { isOverflow } from '../core/queue/sqs/sqs-execution-queue';
import { documentsOf, dynamoClient } from '../core/platform/clients';
import { secretsManagerSecret } from '../core/platform/secrets-manager-secret';
import { composeStage } from '../core/platform/compose';
import { observabilityOf } from '../core/platform/observability';
import { loadEnv } from '../core/platform/load-env';
import { sqsBatchHandler } from '../core/platform/sqs-handler';
import { dynamoUserStore } from '../core/store/dynamo/users/dynamo-user-store';
import { regionAndAccountOf } from '../core/delivery/aws-policy';
import { sealAttemptToken } from '../core/delivery/attempt-token';
import { signingSecrets } from '../core/delivery/signing/signing-secrets';
import type { ExecutorDeps } from './deps';
import { executeBatch } from './execute-batch';
import { callerOf } from '../core/delivery/call/call-target';

const env = loadEnv(ExecutorEnv, process.env);
const observability = observabilityOf('executor', env);
const secret = secretsManagerSecret(env.SIGNING_SECRET_ARN);
const dispatching = composeStage(env, observability, { limitScope: 'per-process' });
const { clock, random } = dispatching;
const users = dynamoUserStore({
  documents: documentsOf(dynamoClient()),
  clock,
  random,
  table: env.JOBS_TABLE,
});
const settings = {
  http: {
    policy: env.TARGET_POLICY,
    allowedHosts: env.TARGET_HOSTS,
    nowMs: () => clock.nowMs(),
  },
  aws: {
    ...regionAndAccountOf(env.SIGNING_SECRET_ARN),
    stackName: env.DEPLOYMENT,
    allowedArns: env.TARGET_ARNS,
    loopback: env.TARGET_POLICY === 'loopback',
  },
};

const deps: ExecutorDeps = {
  ...dispatching,
  call: callerOf(settings),
  signingSecrets: signingSecrets({ users, secret, clock }),
  reportBy: async (lease, target) => ({
    callbackUrl: env.CALLBACK_URL,
    token: sealAttemptToken(lease, await secret.get(), target),
  }),
};

const overflowDeps: ExecutorDeps = { ...deps, queue: routeToOverflow(deps.queue) };

export const handler = sqsBatchHandler(ExecutionMessage, observability, (batch, limits, queueArn) =>
  executeBatch(batch, isOverflow(queueArn, env.EXECUTION_QUEUES) ? overflowDeps : deps, limits),
);
