import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { lazy } from '../core/async/cached';
import { ApiEnv } from '../core/contracts/env';
import { eitherAllows, hostsWithOwn } from '../core/contracts/target-resources';
import { actionsOf } from '../core/delivery/actions/read-actions';
import { regionAndAccountOf } from '../core/delivery/aws-policy';
import { askNameServers } from '../core/delivery/name-servers';
import { telemetry } from '../core/platform/invocation';
import { sqsClient } from '../core/platform/clients';
import { systemCpuMs } from '../core/clock/system-clock';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { dashboardUrl } from './admin/dashboard-url';
import { handleRequest } from './handle-request';
import { type HttpEvent, type HttpResult, noSuchRoute, requestOf, resultFor } from './http/http-event';
import { recordedTraces } from './http/recorded-traces';
import { quotas } from './jobs/charge-quotas';
import type { ApiDeps } from './request';

const env = loadEnv(ApiEnv, process.env);
const observability = observabilityOf('api', env);
const composed = lambdaDeps('api', env, observability, {
  shardCount: env.SHARD_COUNT,
  consoleUrl: env.CONSOLE_URL,
  liveRuns: env.QUOTAS.liveRuns,
  writtenBytesPerDay: env.QUOTAS.writtenBytesPerDay,
});
const { clock, random, usage } = composed;

// Most requests need none of these.
const signingSecret = lazy(async () =>
  (await import('../core/platform/secrets-manager-secret.ts')).secretsManagerSecret(env.SIGNING_SECRET_ARN),
);
const sealing = lazy(async () =>
  (await import('../core/platform/secrets-manager-secret.ts')).secretsManagerKeys(
    env.SIGNING_SECRET_ARN,
    clock,
  ),
);
const tickSchedule = lazy(async () =>
  (await import('../core/platform/tick-switch.ts')).tickSwitch(env.TICK_SCHEDULE),
);

const emails = lazy(async () =>
  (await import('../core/platform/sns-email-subscriptions.ts')).snsEmailSubscriptions(env.EMAIL_TOPIC_ARN),
);

const queueAdmin = lazy(async () =>
  (await import('../core/queue/sqs/queue-admin.ts')).sqsQueueAdmin(
    { sqs: sqsClient(), clock, random },
    queueUrls,
  ),
);
const queueAges = lazy(async () =>
  (await import('../core/platform/queue-ages.ts')).cloudWatchQueueAges(queueUrls, clock),
);
const queueUrls: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(env.EXECUTION_QUEUES).flatMap(([pool, lanes]) =>
      // Lanes that share a queue are one line, under the name of the first.
      Object.entries(lanes).flatMap(([lane, url]) =>
        url.endsWith(`-${lane}`) ? [[`${pool}/${lane}`, url]] : [],
      ),
    ),
  ),
  scan: env.SCAN_QUEUE_URL,
  sweep: env.SWEEP_QUEUE_URL,
};

const { region, accountId } = regionAndAccountOf(env.SIGNING_SECRET_ARN);

const deps: ApiDeps = {
  ...composed,
  cpuMs: systemCpuMs,
  sampling: env.SAMPLING,
  ...(env.SAMPLING && { mayRecord: recordedTraces(env.SAMPLING, clock) }),
  queues: {
    names: Object.keys(queueUrls),
    status: async () => (await queueAdmin()).status(),
    oldestSec: async (names, signal) => (await queueAges())(names, signal),
    redrive: async (name, max) => (await queueAdmin()).redrive(name, max),
  },
  tickSwitch: {
    state: async () => (await tickSchedule()).state(),
    set: async (to) => (await tickSchedule()).set(to),
  },
  quotas: quotas(env.QUOTAS, { usage, clock }),
  deployment: {
    stage: env.STAGE,
    version: env.VERSION,
    quotas: env.QUOTAS,
    dashboardUrl: dashboardUrl(env.DASHBOARD, region),
  },
  secret: { get: async () => (await signingSecret()).get() },
  sealingKeys: {
    current: async () => (await sealing()).current(),
    version: async (version) => (await sealing()).version(version),
  },
  emails: {
    subscribe: async (project, to) => (await emails()).subscribe(project, to),
    projectOf: async (to) => (await emails()).projectOf(to),
    unsubscribe: async (project, to) => (await emails()).unsubscribe(project, to),
  },
  resolve: askNameServers({ clock }),
  settings: {
    targetPolicy: env.TARGET_POLICY,
    allowedTargetHosts: hostsWithOwn(env.TARGET_HOSTS, env.API_HOST),
    awsTargets: {
      region,
      accountId,
      stackName: env.DEPLOYMENT,
      allowedArns: eitherAllows(env.TARGET_ARNS, env.ADDED_TARGET_ARNS),
      loopback: env.TARGET_POLICY !== 'public',
      errands: env.ERRANDS,
      allowOverrides: env.ERRAND_OVERRIDES,
      signed: env.SIGNED_CALLS,
      actions: actionsOf(env),
      roles: env.TARGET_ROLES,
    },
    privateHosts: { networks: env.PRIVATE_NETWORKS, hosts: env.PRIVATE_HOSTS },
    legacySigning: env.SIGNING_LEGACY === 'on',
    pools: Object.keys(env.EXECUTION_QUEUES),
    journal: env.JOURNAL === 'on',
    signIn: env.SIGN_IN && { ...env.SIGN_IN, ...env.SIGN_IN_LISTS, version: env.VERSION },
  },
};

async function handleEvent(event: HttpEvent): Promise<HttpResult> {
  const request = requestOf(event);
  return request ? resultFor(event, await handleRequest(request, deps)) : noSuchRoute(event);
}

export const handler = middy<HttpEvent, HttpResult, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
