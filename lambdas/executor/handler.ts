import { ExecutorEnv } from '../core/contracts/env';
import { ExecutionMessage } from '../core/contracts/messages';
import { secretsClient } from '../core/runtime/clients';
import { secretsManagerSecret } from '../core/runtime/deployment-secret';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { loadEnv } from '../core/runtime/load-env';
import { powertoolsLog } from '../core/runtime/logger';
import { powertoolsMeter } from '../core/runtime/meter';
import { sqsBatchHandler } from '../core/runtime/sqs-handler';
import { FIRST_SECRET_VERSION, signingSecret } from '../core/targets/signing';
import type { ExecutorDeps } from './deps';
import { executeBatch } from './execute-batch';
import { callHttp } from './targets/http';

const env = loadEnv(ExecutorEnv, process.env);
const instruments = { log: powertoolsLog('executor'), meter: powertoolsMeter('executor', env) };
const secret = secretsManagerSecret(secretsClient(), env.SIGNING_SECRET_ARN);
const dispatching = dispatchDeps(env, instruments);
const settings = {
  policy: env.TARGET_POLICY,
  allowedHosts: env.TARGET_HOSTS,
  nowMs: () => dispatching.clock.nowMs(),
};

const deps: ExecutorDeps = {
  ...dispatching,
  call: (target, delivery, signal) => callHttp(target, delivery, signal, settings),
  signingSecret: async (userId) => signingSecret(await secret.get(), userId, FIRST_SECRET_VERSION),
};

export const handler = sqsBatchHandler(ExecutionMessage, instruments, (batch, limits) =>
  executeBatch(batch, deps, limits),
);
