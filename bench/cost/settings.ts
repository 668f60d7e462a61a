import { SECOND_MS } from '../../lambdas/core/clock/clock';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { ComposeSettings } from '../../lambdas/core/platform/compose';
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

/** What every stage is set to, beside the number of shards. */
export const METERED_SETTINGS: ComposeSettings = {
  userLimitsPerSec: { [DEFAULT_POOL]: 500 },
  lifecycleEvents: 'failures',
  retentionDays: 30,
  horizonMs: HORIZON.usualSec * SECOND_MS,
  liveRuns: QUOTAS.liveRuns,
};
