import { compactInstant, dayOf, minuteOf } from '../../core/contracts/tables';
import type { UsageView } from '../../core/http/project-answers';
import { RATE_QUOTAS } from '../../core/quotas/rates';
import { firesPerMinuteOf } from '../../core/quotas/usage';
import type { OperationHandler } from '../request';
import { countUsage } from './count-usage';

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
