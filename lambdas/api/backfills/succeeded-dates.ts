import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import { isOfOccurrence } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { isRetained } from '../executions/execution-view';
import { invalidField } from '../http/problem';
import { endOfInstant } from '../jobs/derived-job-status';
import type { ApiDeps } from '../request';

const ROWS_A_READ = 500;
/** Bound on the rows of the history that one request reads. */
const MAX_ROWS = 30_000;

/**
 * Which dates of a job have an execution that has succeeded: one that was planned, or that a backfill has
 * started. Reads the history between the first date and the last. Throws `ProblemError` 400 if that has more
 * than 30,000 rows.
 *
 * @param dates in ascending order
 */
export async function succeededDates(
  job: Job,
  dates: readonly number[],
  { executions, clock }: Pick<ApiDeps, 'executions' | 'clock'>,
): Promise<Set<number>> {
  const succeeded = new Set<number>();
  if (dates.length === 0) return succeeded;
  const nowMs = clock.nowMs();
  let after: string | undefined;
  let rows = 0;
  do {
    const page = await executions.list(jobKeyOf(job), {
      order: 'asc',
      fromExecId: compactInstant(dates[0]!),
      toExecId: endOfInstant(dates.at(-1)!),
      after,
      limit: ROWS_A_READ,
    });
    for (const row of page.executions)
      if (row.status === 'succeeded' && isOfOccurrence(row) && isRetained(row, nowMs))
        succeeded.add(row.dueAtMs);
    rows += page.executions.length;
    after = page.nextAfter;
    if (after !== undefined && rows >= MAX_ROWS)
      throw invalidField(
        'to',
        `is too late: the history from the first date to the last has more than ${MAX_ROWS} executions; choose a ` +
          'shorter range',
      );
  } while (after !== undefined);
  return new Set(dates.filter((atMs) => succeeded.has(atMs)));
}
