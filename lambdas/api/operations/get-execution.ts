import { scheduleOf } from '../../core/dispatch/entries';
import type { Execution } from '../../core/domain/execution';
import { executionView } from '../execution-view';
import { findExecution } from '../find-execution';
import { mergeSkipped } from '../merge-skipped';
import { jobRefOf } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** One execution with its attempts; one that is planned and has no row yet, too. */
export async function getExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findExecution(request, deps);
  const execution = found.stored ? await asListed(found.execution, request, deps) : found.execution;
  return { status: 200, body: executionView(execution) };
}

/** Rows after a skipped one that are read to find its neighbours. */
const ROWS_LOOKED_AT = 100;

/** The list shows neighbouring skipped ones as one record under the id of the first: so does who asks for it. */
async function asListed(row: Execution, request: ApiRequest, deps: ApiDeps): Promise<Execution> {
  const job = row.status === 'skipped' ? await deps.jobs.get(jobRefOf(request)) : undefined;
  if (!job) return row;
  const { executions } = await deps.executions.list(row.jobKey, {
    order: 'asc',
    fromExecId: row.execId,
    limit: ROWS_LOOKED_AT,
  });
  const [first] = mergeSkipped(executions, scheduleOf(job), 'asc');
  return first?.execId === row.execId ? first : row;
}
