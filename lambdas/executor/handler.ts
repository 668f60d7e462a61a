import { ExecutorEnv } from '../core/contracts/env';
import { ExecutionMessage } from '../core/contracts/messages';
import { documentsOf, dynamoClient, secretsClient } from '../core/runtime/clients';
import { secretsManagerSecret } from '../core/runtime/deployment-secret';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { loadEnv } from '../core/runtime/load-env';
import { sqsBatchHandler } from '../core/runtime/sqs-handler';
import { dynamoUserStore } from '../core/store/dynamo/jobs/users';
import { sealAttemptToken } from '../core/targets/attempt-token';
import { signingSecrets } from '../core/targets/signing-secrets';
import type { ExecutorDeps } from './deps';
import { executeBatch } from './execute-batch';
import { callHttp } from './targets/http';

const env = loadEnv(ExecutorEnv, process.env);
const instruments = instrumentsOf('executor', env);
const secret = secretsManagerSecret(secretsClient(), env.SIGNING_SECRET_ARN);
const dispatching = dispatchDeps(env, instruments);
const { clock, chance } = dispatching;
const users = dynamoUserStore({
  documents: documentsOf(dynamoClient()),
  clock,
  chance,
  table: env.JOBS_TABLE,
});
const settings = {
  policy: env.TARGET_POLICY,
  allowedHosts: env.TARGET_HOSTS,
  nowMs: () => clock.nowMs(),
};

const deps: ExecutorDeps = {
  ...dispatching,
  call: (target, delivery, signal) => callHttp(target, delivery, signal, settings),
  signingSecrets: signingSecrets({ users, secret, clock }),
  reportBy: async (lease) => ({
    callbackUrl: env.CALLBACK_URL,
    token: sealAttemptToken(lease, await secret.get()),
  }),
};

export const handler = sqsBatchHandler(ExecutionMessage, instruments, (batch, limits) =>
  executeBatch(batch, deps, limits),
);
