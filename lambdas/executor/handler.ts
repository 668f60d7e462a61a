import { ExecutorEnv } from '../core/contracts/env';
import { ExecutionMessage } from '../core/contracts/messages';
import { sealAttemptToken } from '../core/delivery/attempt-token';
import { regionAndAccountOf } from '../core/delivery/aws-policy';
import { assumedRoles } from '../core/delivery/call/assumed-roles';
import { callerOf } from '../core/delivery/call/call-target';
import { signingSecrets } from '../core/delivery/signing/signing-secrets';
import { forOverflow } from '../core/platform/compose';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { secretsManagerSecret } from '../core/platform/secrets-manager-secret';
import { sqsBatchHandler } from '../core/platform/sqs-handler';
import { isOverflow } from '../core/queue/sqs/sqs-execution-queue';
import type { ExecutorDeps } from './deps';
import { executeBatch } from './execute-batch';

const env = loadEnv(ExecutorEnv, process.env);
const observability = observabilityOf('executor', env);
const secret = secretsManagerSecret(env.SIGNING_SECRET_ARN);
const composed = lambdaDeps('executor', env, observability);
const { clock, users } = composed;

const deps: ExecutorDeps = {
  ...composed,
  call: callerOf({
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
    roleFor: assumedRoles(env.TARGET_ROLES, { clock }),
  }),
  signingSecrets: signingSecrets({ users, secret, clock }),
  reportBy: async (lease, target) => ({
    callbackUrl: env.CALLBACK_URL,
    token: sealAttemptToken(lease, await secret.get(), target),
  }),
};
const overflowDeps = forOverflow(deps);

export const handler = sqsBatchHandler(ExecutionMessage, observability, (batch, budget, queueArn) =>
  executeBatch(batch, isOverflow(queueArn, env.EXECUTION_QUEUES) ? overflowDeps : deps, budget),
);
