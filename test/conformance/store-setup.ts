import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoOverlapLockStore } from '../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoUserStore } from '../../lambdas/core/store/dynamo/users/dynamo-user-store';
import { dynamoRequestKeyStore } from '../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoUsageStore } from '../../lambdas/core/store/dynamo/usage/dynamo-usage-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { dynamoOrderingStore } from '../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import { systemClock } from '../../lambdas/core/clock/system-clock';
import type { TableAccess } from '../../lambdas/core/store/dynamo/access';
import type { ExecutionEnds } from '../../lambdas/core/store/execution-ends';
import type { ExecutionStore } from '../../lambdas/core/store/execution-store';
import type { OverlapLockStore } from '../../lambdas/core/store/overlap-lock-store';
import type { JobStore } from '../../lambdas/core/store/job-store';
import type { OrderingStore } from '../../lambdas/core/store/ordering-store';
import type { RequestKeyStore } from '../../lambdas/core/store/request-key-store';
import type { ScheduleStore } from '../../lambdas/core/store/schedule-store';
import type { UserStore } from '../../lambdas/core/store/user-store';
import type { UsageStore } from '../../lambdas/core/store/usage-store';
import type { DynamoBackend, FaultyClient } from '../support/dynamo/backend';

/** The stores under test, over one client that can be made to fail; names that no other test uses. */
export interface StoreSetup {
  jobs: JobStore;
  executions: ExecutionStore & ExecutionEnds;
  schedule: ScheduleStore;
  holds: OverlapLockStore;
  lines: OrderingStore;
  users: UserStore;
  requestKeys: RequestKeyStore;
  usage: UsageStore;
  client: FaultyClient;
  tables: DynamoBackend['tables'];
  freshUser(): string;
  freshJobKey(): string;
  freshShard(): number;
}

/** Pauses between tries take no time. */
const noPause = { fraction: () => 0, id: () => 'unused' };

export function storeSetup(backend: DynamoBackend): StoreSetup {
  const client = backend.client();
  const access = (table: string): TableAccess => ({
    documents: client.documents,
    table,
    clock: systemClock,
    random: noPause,
  });
  const { jobs, executions, schedule } = backend.tables;
  let fresh = 0;
  return {
    jobs: dynamoJobStore(access(jobs)),
    executions: dynamoExecutionStore({ ...access(executions), heartbeats: client.documents }),
    schedule: dynamoScheduleStore(access(schedule)),
    holds: dynamoOverlapLockStore(access(jobs)),
    lines: dynamoOrderingStore(access(schedule)),
    users: dynamoUserStore(access(jobs)),
    requestKeys: dynamoRequestKeyStore(access(jobs)),
    usage: dynamoUsageStore(access(jobs)),
    client,
    tables: backend.tables,
    freshUser: () => `user-${fresh++}`,
    freshJobKey: () => `user-${fresh++}/job`,
    freshShard: () => fresh++,
  };
}
