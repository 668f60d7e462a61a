import { failureSortOf } from '../../core/contracts/tables';
import { failureWindow, jobReader, passesFailure } from '../executions/failure-filter';
import type { ApiDeps } from '../request';
import type { ItemSource } from './bulk-item';
import { jobTest, type Selection } from './bulk-jobs';

const ROWS_A_READ = 100;

/**
 * The failures of the inbox that pass, in ascending order of due time; only `failed` ones unless the filter
 * names `skipped`. Those that ended after the bulk began, and those of deleted jobs, are left out.
 */
export function bulkFailures(selection: Selection, deps: ApiDeps): ItemSource {
  const { project, filter, begunAtMs } = selection;
  const window = failureWindow(filter, begunAtMs, deps);
  const { host, fingerprint, blocksKey } = filter;
  const status = filter.status === 'skipped' ? 'skipped' : 'failed';
  const ofRows = { status, view: 'inbox', host, fingerprint, blocksKey } as const;
  const jobsOf = jobReader(deps);
  const passesJob = jobTest(selection, deps);
  return async (after) => {
    if (window.fromMs >= window.toMs) return { items: [] };
    const page = await deps.executions.listFailures(project, {
      ...window,
      order: 'asc',
      after,
      limit: ROWS_A_READ,
    });
    const rows = page.executions.filter(
      (row) => passesFailure(row, ofRows, begunAtMs) && (row.finishedAtMs ?? 0) <= begunAtMs,
    );
    const jobs = await jobsOf(rows);
    const passing = new Set<string>();
    for (const jobKey of new Set(rows.map((row) => row.jobKey))) {
      const job = jobs.get(jobKey);
      if (job && (await passesJob(job))) passing.add(jobKey);
    }
    return {
      items: rows
        .filter(({ jobKey }) => passing.has(jobKey))
        .map((row) => ({
          position: failureSortOf(row),
          job: jobs.get(row.jobKey)!,
          execId: row.execId,
        })),
      nextAfter: page.nextAfter,
    };
  };
}
