import { SECOND_MS } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import { NO_USAGE, plus, type Usage } from '../../core/quotas/usage';
import { usageOf } from '../../core/quotas/usage-of';
import { ScheduleError } from '../../core/schedule/schedule-error';
import type { ApiDeps } from '../request';

const JOBS_A_PAGE = 1_000;
const MAX_PAGES = 10;
/** A page is up to 250 read units, and a project's partition serves 3,000 a second. */
const PAGE_PACE_MS = SECOND_MS / 4;

/**
 * What a project's jobs use of its quotas, by their definitions as they are now. Runs under way are not
 * counted. Undefined: the project has more jobs than one request reads.
 */
export async function countUsage(
  project: string,
  { jobs, clock }: Pick<ApiDeps, 'jobs' | 'clock'>,
): Promise<Usage | undefined> {
  let counted = NO_USAGE;
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    if (after !== undefined) await clock.sleep(PAGE_PACE_MS);
    const read = await jobs.list(project, { limit: JOBS_A_PAGE, ...(after !== undefined && { after }) });
    for (const job of read.jobs) counted = plus(counted, readableUsageOf(job, clock.nowMs()));
    after = read.nextAfter;
    if (after === undefined) return counted;
  }
  return undefined;
}

/** A schedule that cannot be read plans nothing, and the auditor does not count its job either. */
function readableUsageOf(job: Job, nowMs: number): Usage {
  try {
    return usageOf(job, nowMs);
  } catch (error) {
    if (error instanceof ScheduleError) return NO_USAGE;
    throw error;
  }
}
