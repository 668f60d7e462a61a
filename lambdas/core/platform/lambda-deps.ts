import type * as z from 'zod/mini';

import { SECOND_MS } from '../clock/clock';
import { systemClock } from '../clock/system-clock';
import { systemRandom } from '../clock/system-random';
import type { SweeperEnv } from '../contracts/env';
import type { SendingStage } from '../queue/pipeline';
import { sqsExecutionQueue } from '../queue/sqs/sqs-execution-queue';
import { documentsOf, dynamoClient, heartbeatClient, sqsClient } from './clients';
import { type ComposeSettings, compose, type Composition } from './compose';
import type { Observability } from './observability';
import type { StoreParts } from './stores';

/** The environment that every stage which sends executions has. */
type SendingEnv = Omit<z.output<typeof SweeperEnv>, 'CONSOLE_URL' | 'PACKS' | 'QUOTAS' | 'WATCH_QUEUE_URL'>;

/**
 * `compose` with the clients of AWS services that the environment names. Called once per execution
 * environment.
 */
export function lambdaDeps(
  stage: SendingStage,
  env: SendingEnv,
  { log, meter, events }: Observability,
  {
    shardCount,
    leadMs,
    consoleUrl,
    liveRuns,
    writtenBytesPerDay,
    packs = 'read',
  }: Pick<ComposeSettings, 'shardCount' | 'leadMs' | 'consoleUrl' | 'liveRuns' | 'writtenBytesPerDay'> &
    Pick<StoreParts, 'packs'> = {},
): Composition {
  const clock = systemClock;
  const random = systemRandom;
  return compose({
    stage,
    documents: documentsOf(dynamoClient()),
    heartbeats: documentsOf(heartbeatClient()),
    tables: { jobs: env.JOBS_TABLE, executions: env.EXECUTIONS_TABLE, schedule: env.SCHEDULE_TABLE },
    executionQueue: sqsExecutionQueue({ sqs: sqsClient(), clock, random }, env.EXECUTION_QUEUES),
    events,
    clock,
    random,
    packs,
    log,
    meter,
    settings: {
      userLimitsPerSec: env.USER_RATE_LIMITS,
      lifecycleEvents: env.LIFECYCLE_EVENTS,
      retentionDays: env.RETENTION_DAYS,
      horizonMs: env.HORIZON_SEC * SECOND_MS,
      shardCount,
      leadMs,
      consoleUrl,
      liveRuns,
      writtenBytesPerDay,
    },
  });
}
