import type * as z from 'zod/mini';

import { SECOND_MS } from '../clock/clock';
import { systemChance } from '../clock/system-chance';
import { systemClock } from '../clock/system-clock';
import type { ScannerEnv } from '../contracts/env';
import type { DispatchDeps } from '../dispatch/deps';
import type { Sender } from '../dispatch/fair-share';
import { raiseShards } from '../dispatch/raise-shards';
import { shardsInForce } from '../dispatch/shards-in-force';
import { stageQueue } from '../dispatch/stage-queue';
import { isStopped } from '../dispatch/stopped';
import { announced } from '../events/announced';
import { sqsExecutionQueue } from '../queue/sqs/sqs-execution-queue';
import { dynamoExecutionStore } from '../store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../store/dynamo/jobs/dynamo-job-store';
import { dynamoHoldStore } from '../store/dynamo/jobs/holds';
import { dynamoScheduleStore } from '../store/dynamo/schedule/dynamo-schedule-store';
import { dynamoLineStore } from '../store/dynamo/schedule/lines';
import { beatClient, documentsOf, dynamoClient, sqsClient } from './clients';
import type { Instruments } from './instruments';

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
