import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { PingEnv } from '../core/contracts/env';
import { SECOND_MS } from '../core/clock/clock';
import { systemClock } from '../core/clock/system-clock';
import { systemRandom } from '../core/clock/system-random';
import { documentsOf, dynamoClient, heartbeatClient } from '../core/platform/clients';
import { compose } from '../core/platform/compose';
import { telemetry } from '../core/platform/invocation';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { secretsManagerSecret } from '../core/platform/secrets-manager-secret';
import { SENDS_NOTHING } from '../core/queue/sends-nothing';
import { badgeRequestOf, type PingEvent, type PingResult, requestOf, resultOf } from './http-event';
import { LEFT_TO_RECHECK } from './left-to-recheck';
import { makeMonitorBy } from './make-monitor';
import { RecentPings } from './recent-pings';
import { badgeStatuses, serveBadge } from './serve-badge';
import { type PingDeps, servePing } from './serve-ping';

const env = loadEnv(PingEnv, process.env);
const observability = observabilityOf('ping', env);

const composed = compose({
  stage: 'ping',
  documents: documentsOf(dynamoClient()),
  heartbeats: documentsOf(heartbeatClient()),
  tables: { jobs: env.JOBS_TABLE, executions: env.EXECUTIONS_TABLE, schedule: env.SCHEDULE_TABLE },
  executionQueue: SENDS_NOTHING,
  ...observability,
  clock: systemClock,
  random: systemRandom,
  settings: {
    userLimitsPerSec: {},
    lifecycleEvents: env.LIFECYCLE_EVENTS,
    retentionDays: env.RETENTION_DAYS,
    horizonMs: env.HORIZON_SEC * SECOND_MS,
  },
});

const deps: PingDeps = {
  ...composed,
  followUps: LEFT_TO_RECHECK,
  secret: secretsManagerSecret(env.SIGNING_SECRET_ARN),
  recent: new RecentPings(),
  makeMonitor: makeMonitorBy(env.MONITORS_URL, { fetch, clock: systemClock }),
  logLimits: env.QUOTAS,
};

const statusOf = badgeStatuses(deps);

async function handleEvent(event: PingEvent): Promise<PingResult> {
  const badge = badgeRequestOf(event);
  return resultOf(event, badge ? await serveBadge(badge, statusOf) : await servePing(requestOf(event), deps));
}

export const handler = middy<PingEvent, PingResult, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
