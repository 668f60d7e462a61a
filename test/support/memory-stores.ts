import type { Chance } from '../../lambdas/core/clock/random';
import type { Clock } from '../../lambdas/core/clock/clock';
import type { TableAccess } from '../../lambdas/core/store/dynamo/access';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoHoldStore } from '../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoRequestKeyStore } from '../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { dynamoLineStore } from '../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import type { ExecutionStore } from '../../lambdas/core/store/execution-store';
import type { HoldStore } from '../../lambdas/core/store/overlap-lock-store';
import type { JobStore } from '../../lambdas/core/store/job-store';
import type { LineStore } from '../../lambdas/core/store/ordering-store';
import type { RequestKeyStore } from '../../lambdas/core/store/request-key-store';
import type { ScheduleStore } from '../../lambdas/core/store/schedule-store';
import { TABLES } from './dynamo/memory-backend';
import { type Faults, MemoryDynamo } from './dynamo/memory-dynamo';
import type { MemoryTables } from './dynamo/memory-tables';

export interface Stores {
  jobs: JobStore;
  executions: ExecutionStore;
  schedule: ScheduleStore;
  holds: HoldStore;
  lines: LineStore;
  requestKeys: RequestKeyStore;
}

/**
 * The real stores of one node over tables in memory: nodes that share the tables see each other's writes. `faults` are
 * the node's own, those of its beats included; the SDK's tries of a request are `maxAttempts`, a beat has one.
 */
export function memoryStores(
  tables: MemoryTables,
  node: { clock: Clock; chance: Chance; faults?: Faults; maxAttempts?: number },
): Stores {
  const { clock, chance, faults, maxAttempts = 3 } = node;
  const documents = new MemoryDynamo(tables, { maxAttempts, faults });
  const beats = new MemoryDynamo(tables, { maxAttempts: 1, faults });
  const access = (table: string): TableAccess => ({ documents, table, clock, chance });
  return {
    jobs: dynamoJobStore(access(TABLES.jobs)),
    executions: dynamoExecutionStore({ ...access(TABLES.executions), beats }),
    schedule: dynamoScheduleStore(access(TABLES.schedule)),
    holds: dynamoHoldStore(access(TABLES.jobs)),
    lines: dynamoLineStore(access(TABLES.schedule)),
    requestKeys: dynamoRequestKeyStore(access(TABLES.jobs)),
  };
}
