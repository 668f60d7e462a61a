import type { Random } from '../../lambdas/core/clock/random';
import type { Clock } from '../../lambdas/core/clock/clock';
import type { TableAccess } from '../../lambdas/core/store/dynamo/access';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoOverlapLockStore } from '../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoRequestKeyStore } from '../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { dynamoOrderingStore } from '../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import type { ExecutionEnds } from '../../lambdas/core/store/execution-ends';
import type { ExecutionStore } from '../../lambdas/core/store/execution-store';
import type { OverlapLockStore } from '../../lambdas/core/store/overlap-lock-store';
import type { JobStore } from '../../lambdas/core/store/job-store';
import type { OrderingStore } from '../../lambdas/core/store/ordering-store';
import type { RequestKeyStore } from '../../lambdas/core/store/request-key-store';
import type { ScheduleStore } from '../../lambdas/core/store/schedule-store';
import { TABLES } from './dynamo/memory-backend';
import { type Faults, MemoryDynamo } from './dynamo/memory-dynamo';
import type { MemoryTables } from './dynamo/memory-tables';

export interface Stores {
  jobs: JobStore;
  executions: ExecutionStore & ExecutionEnds;
  schedule: ScheduleStore;
  holds: OverlapLockStore;
  lines: OrderingStore;
  requestKeys: RequestKeyStore;
}

/**
 * The real stores of one node over tables in memory: nodes that share the tables see each other's writes. `faults` are
 * the node's own, those of its heartbeats included; the SDK's tries of a request are `maxAttempts`, a heartbeat has one.
 */
export function memoryStores(
  tables: MemoryTables,
  node: { clock: Clock; random: Random; faults?: Faults; maxAttempts?: number },
): Stores {
  const { clock, random, faults, maxAttempts = 3 } = node;
  const documents = new MemoryDynamo(tables, { maxAttempts, faults });
  const heartbeats = new MemoryDynamo(tables, { maxAttempts: 1, faults });
  const access = (table: string): TableAccess => ({ documents, table, clock, random });
  return {
    jobs: dynamoJobStore(access(TABLES.jobs)),
    executions: dynamoExecutionStore({ ...access(TABLES.executions), heartbeats }),
    schedule: dynamoScheduleStore(access(TABLES.schedule)),
    holds: dynamoOverlapLockStore(access(TABLES.jobs)),
    lines: dynamoOrderingStore(access(TABLES.schedule)),
    requestKeys: dynamoRequestKeyStore(access(TABLES.jobs)),
  };
}
