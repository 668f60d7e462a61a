import {
  EXECUTIONS_KEY,
  FAILURES_INDEX,
  FAILURES_KEY,
  JOBS_KEY,
  SCHEDULE_KEY,
} from '../../../lambdas/core/contracts/tables';
import type { TableKey } from '../../../local/services/dynamodb/engine/rows';

/** Keys and indexes of the three tables. */
export const TABLE_KEYS = {
  jobs: JOBS_KEY,
  executions: { ...EXECUTIONS_KEY, indexes: { [FAILURES_INDEX]: FAILURES_KEY } },
  schedule: SCHEDULE_KEY,
} as const satisfies Record<string, TableKey>;
