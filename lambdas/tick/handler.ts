import { systemClock } from '../core/clock/system-clock';
import { systemRandom } from '../core/clock/system-random';
import { LocalTickEnv } from '../core/contracts/local-env';
import { TickEvent } from '../core/contracts/messages';
import { documentsOf, dynamoClient, sqsClient } from '../core/platform/clients';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { scheduledHandler } from '../core/platform/scheduled-handler';
import { sqsRequestQueue } from '../core/queue/sqs/sqs-request-queue';
import { dynamoScheduleStore } from '../core/store/dynamo/dynamo-schedule-store';
import { tick, type TickDeps } from './plan-requests';

const env = loadEnv(LocalTickEnv, process.env);
const observability = { log: powertoolsLog('tick'), meter: powertoolsMeter('tick', env) };
const clock = systemClock;
const random = systemRandom;
const documents = documentsOf(dynamoClient());
const sqs = { sqs: sqsClient(), clock, random };

/** The tick sends no executions and reads one table, so `compose` has nothing to wire for it. */
const deps: TickDeps = {
  schedule: dynamoScheduleStore({ documents, clock, random, table: env.SCHEDULE_TABLE }),
  clock,
  scanQueue: sqsRequestQueue(sqs, env.SCAN_QUEUE_URL),
  sweepQueue: sqsRequestQueue(sqs, env.SWEEP_QUEUE_URL),
  queuesSinceMs: env.QUEUES_SINCE_MS,
};

export const handler = scheduledHandler(TickEvent, observability, (event) =>
  tick(event, env.SHARD_COUNT, deps),
);
