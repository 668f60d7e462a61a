import { compactInstant, dayOf, minuteOf } from '../../core/contracts/tables';
import type { UsageView } from '../../core/http/openapi/project';
import { RATE_QUOTAS } from '../../core/quotas/rates';
import { firesPerMinuteOf, NO_USAGE, plus, type Usage } from '../../core/quotas/usage';
import { SECOND_MS } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import { usageOf } from '../../core/quotas/usage-of';
import { ScheduleError } from '../../core/schedule/schedule-error';
import type { OperationHandler, ApiDeps } from '../request';

/**
 * 200 with what the project uses of its quotas. Its jobs are counted, if one request can read them. Processes
 * save all other counts in steps, so these are approximate.
 */
export const getUsage: OperationHandler = async ({ project }, deps) => {
  const { usage, logs, clock, deployment, written } = deps;
  const { quotas } = deployment;
  const nowMs = clock.nowMs();
  const [counted, { counted: saved, rates, writtenBytes }, logBytes] = await Promise.all([
    countUsage(project, deps),
    usage.getWithRates(project, minuteOf(nowMs)),
    logs.bytesOfDay(project, dayOf(compactInstant(nowMs))),
  ]);
  const of = (quota: keyof typeof quotas, used: number, approximate: boolean) => ({
    used,
    allowed: quotas[quota],
    approximate,
  });
  const ofJobs = counted ?? saved;
  const body: UsageView = {
    jobs: of('jobs', ofJobs.jobs, !counted),
    firesPerMinute: of('firesPerMinute', firesPerMinuteOf(ofJobs), !counted),
    payloadBytes: of('payloadBytes', ofJobs.payloadBytes, !counted),
    requestsPerMinute: of(RATE_QUOTAS.requests, rates.requests, true),
    changesPerMinute: of(RATE_QUOTAS.changes, rates.changes, true),
    runsPerMinute: of(RATE_QUOTAS.runs, rates.runs, true),
    reportsPerMinute: of(RATE_QUOTAS.reports, rates.reports, true),
    writtenBytesPerDay: of('writtenBytesPerDay', writtenBytes + written.unsaved(project), true),
    logBytesPerDay: of('logBytesPerDay', logBytes, false),
    liveRuns: of('liveRuns', saved.liveRuns, true),
  };
  return { status: 200, body };
};

const JOBS_A_PAGE = 1_000;
const MAX_PAGES = 10;
/** A page is up to 250 read units, and a project's partition serves 3,000 a second. */
const PAGE_PACE_MS = SECOND_MS / 4;

/**
 * What a project's jobs use of its quotas, by their definitions as they are now. Runs under way are not
 * counted. Undefined: the project has more jobs than one request reads.
 */
async function countUsage(
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
