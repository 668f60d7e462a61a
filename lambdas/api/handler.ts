import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { ApiEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/runtime/clients';
import { dispatchDeps } from '../core/runtime/dispatch-deps';
import { instrumentsOf } from '../core/runtime/instruments';
import { telemetry } from '../core/runtime/invocation';
import { loadEnv } from '../core/runtime/load-env';
import { onFirstUse } from '../core/runtime/on-first-use';
import { dynamoUserStore } from '../core/store/dynamo/jobs/users';
import { dynamoRequestKeyStore } from '../core/store/dynamo/jobs/request-keys';
import { dynamoUsageStore } from '../core/store/dynamo/jobs/usage';
import { placeOf } from '../core/targets/aws-policy';
import { askNameServers } from '../core/targets/name-servers';
import { answer } from './answer';
import { type HttpEvent, type HttpResult, noSuchRoute, requestOf, resultOf } from './http-event';
import { quotas } from './quotas';
import type { ApiDeps } from './request';

const env = loadEnv(ApiEnv, process.env);
const instruments = instrumentsOf('api', env);
const dispatching = dispatchDeps(env, instruments, { sender: 'one of many', shardCount: env.SHARD_COUNT });
const { clock, chance } = dispatching;

const besideJobs = { documents: documentsOf(dynamoClient()), clock, chance, table: env.JOBS_TABLE };

// Most requests need neither.
const signingSecret = onFirstUse(async () =>
  (await import('../core/runtime/deployment-secret.ts')).secretsManagerSecret(env.SIGNING_SECRET_ARN),
);
const scanSchedule = onFirstUse(async () =>
  (await import('../core/runtime/tick-switch.ts')).tickSwitch(env.TICK_SCHEDULE),
);

const deps: ApiDeps = {
  ...dispatching,
  requestKeys: dynamoRequestKeyStore(besideJobs),
  users: dynamoUserStore(besideJobs),
  tickSwitch: {
    state: async () => (await scanSchedule()).state(),
    turn: async (to) => (await scanSchedule()).turn(to),
  },
  quotas: quotas(env.QUOTAS, { usage: dynamoUsageStore(besideJobs), clock }),
  secret: { get: async () => (await signingSecret()).get() },
  resolve: askNameServers({ clock }),
  settings: {
    targetPolicy: env.TARGET_POLICY,
    allowedTargetHosts: env.TARGET_HOSTS,
    awsTargets: {
      ...placeOf(env.SIGNING_SECRET_ARN),
      stackName: env.DEPLOYMENT,
      allowedArns: env.TARGET_ARNS,
      loopback: env.TARGET_POLICY === 'loopback',
    },
    pools: Object.keys(env.EXECUTION_QUEUES),
  },
};

async function handleRequest(event: HttpEvent): Promise<HttpResult> {
  const request = requestOf(event);
  return request ? resultOf(await answer(request, deps)) : noSuchRoute(event);
}

export const handler = middy<HttpEvent, HttpResult, Error, Context>(handleRequest, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(instruments));
