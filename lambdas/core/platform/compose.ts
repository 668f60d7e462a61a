import type * as z from 'zod/mini';

import { SECOND_MS } from '../clock/clock';
import { systemRandom } from '../clock/system-random';
import { systemClock } from '../clock/system-clock';
import type { ScannerEnv } from '../contracts/env';
import type { StageDeps } from '../deps';
import type { LimitScope } from '../queue/user-rate-limit';
import { raiseShards } from '../shards/raise-shards';
import { activeShardCount } from '../shards/shard-count';
import { queuePipeline } from '../queue/pipeline';
import { maintenanceMode } from '../queue/maintenance';
import { endPublisher } from '../events/publish-ends';
import { sqsExecutionQueue } from '../queue/sqs/sqs-execution-queue';
import { dynamoExecutionStore } from '../store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../store/dynamo/jobs/dynamo-job-store';
import { dynamoOverlapLockStore } from '../store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoScheduleStore } from '../store/dynamo/dynamo-schedule-store';
import { dynamoOrderingStore } from '../store/dynamo/ordering/dynamo-ordering-store';
import { heartbeatClient, documentsOf, dynamoClient, sqsClient } from './clients';
import type { Observability } from './observability';

/**
 * What every stage that dispatches is made with, once per execution environment. `shardCount`: of a stage that may come
 * before the first tick; then it does what the tick would have done.
 */
export function composeStage(
  env: z.output<typeof ScannerEnv>,
  { log, meter, events }: Observability,
  {
    limitScope,
    isPhaseAligned = false,
    shardCount,
  }: { limitScope: LimitScope; isPhaseAligned?: boolean; shardCount?: number },
): StageDeps {
  const clock = systemClock;
  const random = systemRandom;
  const access = { documents: documentsOf(dynamoClient()), clock, random };
  const jobs = { ...access, table: env.JOBS_TABLE };
  const executions = { ...access, table: env.EXECUTIONS_TABLE, heartbeats: documentsOf(heartbeatClient()) };
  const schedule = dynamoScheduleStore({ ...access, table: env.SCHEDULE_TABLE });
  const executionStore = dynamoExecutionStore(executions);
  const stopped = maintenanceMode(schedule, clock);
  const shards = activeShardCount(
    schedule,
    clock,
    shardCount === undefined
      ? undefined
      : async () => (await raiseShards(shardCount, { schedule, clock })).count,
  );
  const queue = sqsExecutionQueue({ sqs: sqsClient(), clock, random }, env.EXECUTION_QUEUES);
  return {
    jobs: dynamoJobStore(jobs),
    overlapLocks: dynamoOverlapLockStore(jobs),
    ordering: dynamoOrderingStore({ ...access, table: env.SCHEDULE_TABLE }),
    executions: executionStore,
    ends: executionStore,
    publishEnd: endPublisher(events, env.LIFECYCLE_EVENTS),
    schedule,
    queue: queuePipeline(queue, env.USER_RATE_LIMITS, { limitScope, isPhaseAligned, clock, shards, stopped }),
    inMaintenance: stopped,
    shardCount: shards,
    clock,
    random,
    log,
    meter,
    retentionDays: env.RETENTION_DAYS,
    horizonMs: env.HORIZON_SEC * SECOND_MS,
  };
}
