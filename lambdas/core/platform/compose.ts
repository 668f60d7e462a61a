import type * as z from 'zod/mini';

import { SECOND_MS } from '../clock/clock';
import { systemChance } from '../clock/system-random';
import { systemClock } from '../clock/system-clock';
import type { ScannerEnv } from '../contracts/env';
import type { DispatchDeps } from '../deps';
import type { Sender } from '../queue/user-rate-limit';
import { raiseShards } from '../shards/raise-shards';
import { shardsInForce } from '../shards/shard-count';
import { stageQueue } from '../queue/pipeline';
import { isStopped } from '../queue/maintenance';
import { announced } from '../events/publishing-store';
import { sqsExecutionQueue } from '../queue/sqs/sqs-execution-queue';
import { dynamoExecutionStore } from '../store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../store/dynamo/jobs/dynamo-job-store';
import { dynamoHoldStore } from '../store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoScheduleStore } from '../store/dynamo/dynamo-schedule-store';
import { dynamoLineStore } from '../store/dynamo/ordering/dynamo-ordering-store';
import { beatClient, documentsOf, dynamoClient, sqsClient } from './clients';
import type { Instruments } from './observability';

/**
 * What every stage that dispatches is made with, once per execution environment. `shardCount`: of a stage that may come
 * before the first tick; then it does what the tick would have done.
 */
export function dispatchDeps(
  env: z.output<typeof ScannerEnv>,
  { log, meter, events }: Instruments,
  { sender, isInStep = false, shardCount }: { sender: Sender; isInStep?: boolean; shardCount?: number },
): DispatchDeps {
  const clock = systemClock;
  const chance = systemChance;
  const access = { documents: documentsOf(dynamoClient()), clock, chance };
  const jobs = { ...access, table: env.JOBS_TABLE };
  const executions = { ...access, table: env.EXECUTIONS_TABLE, beats: documentsOf(beatClient()) };
  const schedule = dynamoScheduleStore({ ...access, table: env.SCHEDULE_TABLE });
  const stopped = isStopped(schedule, clock);
  const shards = shardsInForce(
    schedule,
    clock,
    shardCount === undefined
      ? undefined
      : async () => (await raiseShards(shardCount, { schedule, clock })).count,
  );
  const queue = sqsExecutionQueue({ sqs: sqsClient(), clock, chance }, env.EXECUTION_QUEUES);
  return {
    jobs: dynamoJobStore(jobs),
    holds: dynamoHoldStore(jobs),
    lines: dynamoLineStore({ ...access, table: env.SCHEDULE_TABLE }),
    executions: announced(dynamoExecutionStore(executions), events, env.LIFECYCLE_EVENTS),
    schedule,
    queue: stageQueue(queue, env.USER_SHARES, { sender, isInStep, clock, shards, stopped }),
    stopped,
    shards,
    clock,
    chance,
    log,
    meter,
    retentionDays: env.RETENTION_DAYS,
    horizonMs: env.HORIZON_SEC * SECOND_MS,
  };
}
