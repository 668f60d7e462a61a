import { compactInstant, dayOf, minuteOf } from '../../core/contracts/tables';
import type { UsageView } from '../../core/http/project-answers';
import { RATE_QUOTAS } from '../../core/quotas/rates';
import { firesPerMinuteOf } from '../../core/quotas/usage';
import type { OperationHandler } from '../request';

/**
 * 200 with what the project uses of its quotas. Processes of the API save what they count in steps, so the
 * figures may be low by a few percent of a quota. Cost: 1 read unit.
 */
export const getUsage: OperationHandler = async ({ project }, { usage, logs, clock, deployment }) => {
  const { quotas } = deployment;
  const nowMs = clock.nowMs();
  const [{ counted, rates }, logBytes] = await Promise.all([
    usage.getWithRates(project, minuteOf(nowMs)),
    logs.bytesOfDay(project, dayOf(compactInstant(nowMs))),
  ]);
  const of = (quota: keyof typeof quotas, used: number) => ({ used, allowed: quotas[quota] });
  const body: UsageView = {
    jobs: of('jobs', counted.jobs),
    firesPerMinute: of('firesPerMinute', firesPerMinuteOf(counted)),
    payloadBytes: of('payloadBytes', counted.payloadBytes),
    requestsPerMinute: of(RATE_QUOTAS.requests, rates.requests),
    changesPerMinute: of(RATE_QUOTAS.changes, rates.changes),
    runsPerMinute: of(RATE_QUOTAS.runs, rates.runs),
    reportsPerMinute: of(RATE_QUOTAS.reports, rates.reports),
    logBytesPerDay: of('logBytesPerDay', logBytes),
    liveRuns: of('liveRuns', counted.liveRuns),
  };
  return { status: 200, body };
};
