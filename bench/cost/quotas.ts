import type { QuotaLimits } from '../../lambdas/core/contracts/quotas';

/** As in `config/prod.json`, with rates that no scenario reaches. */
export const QUOTAS: QuotaLimits = {
  jobs: 100_000,
  firesPerMinute: 100_000,
  payloadBytes: 1_000_000_000,
  requestsPerMinute: 1_000_000,
  changesPerMinute: 1_000_000,
  writtenBytesPerDay: 10_737_418_240,
  logBytesPerDay: 1_000_000_000,
  logBytesPerAttempt: 524_288,
  runsPerMinute: 1_000_000,
  reportsPerMinute: 1_000_000,
  liveRuns: 10_000,
};
