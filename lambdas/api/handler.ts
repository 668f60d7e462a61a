import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { ApiEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/platform/clients';
import { composeStage } from '../core/platform/compose';
import { observabilityOf } from '../core/platform/observability';
import { telemetry } from '../core/platform/invocation';
import { loadEnv } from '../core/platform/load-env';
import { lazy } from '../core/async/lazy';
import { dynamoUserStore } from '../core/store/dynamo/users/dynamo-user-store';
import { dynamoRequestKeyStore } from '../core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoUsageStore } from '../core/store/dynamo/usage/dynamo-usage-store';
import { regionAndAccountOf } from '../core/delivery/aws-policy';
import { askNameServers } from '../core/delivery/name-servers';
import { handleRequest } from './handle-request';
import { type HttpEvent, type HttpResult, noSuchRoute, requestOf, resultOf } from './http/http-event';
import { quotas } from './jobs/charge-quotas';
import type { ApiDeps } from './request';

const env = loadEnv(ApiEnv, process.env);
const observability = observabilityOf('api', env);
const dispatching = composeStage(env, observability, {
  limitScope: 'per-process',
  shardCount: env.SHARD_COUNT,
});
const { clock, random } = dispatching;

const besideJobs = { documents: documentsOf(dynamoClient()), clock, random, table: env.JOBS_TABLE };

// Most requests need neither.
const signingSecret = lazy(async () =>
  (await import('../core/platform/secrets-manager-secret.ts')).secretsManagerSecret(env.SIGNING_SECRET_ARN),
);
const scanSchedule = lazy(async () =>
  (await import('../core/platform/tick-switch.ts')).tickSwitch(env.TICK_SCHEDULE),
);

const deps: ApiDeps = {
  ...dispatching,
  requestKeys: dynamoRequestKeyStore(besideJobs),
  users: dynamoUserStore(besideJobs),
  tickSwitch: {
    state: async () => (await scanSchedule()).state(),
    set: async (to) => (await scanSchedule()).turn(to),
  },
  quotas: quotas(env.QUOTAS, { usage: dynamoUsageStore(besideJobs), clock }),
  secret: { get: async () => (await signingSecret()).get() },
  resolve: askNameServers({ clock }),
  settings: {
    targetPolicy: env.TARGET_POLICY,
    allowedTargetHosts: env.TARGET_HOSTS,
    awsTargets: {
      ...regionAndAccountOf(env.SIGNING_SECRET_ARN),
      stackName: env.DEPLOYMENT,
      allowedArns: env.TARGET_ARNS,
      loopback: env.TARGET_POLICY === 'loopback',
    },
    pools: Object.keys(env.EXECUTION_QUEUES),
  },
};

async function handleEvent(event: HttpEvent): Promise<HttpResult> {
  const request = requestOf(event);
  return request ? resultOf(await handleRequest(request, deps)) : noSuchRoute(event);
}

export const handler = middy<HttpEvent, HttpResult, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
