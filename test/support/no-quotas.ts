import type { Quotas } from '../../lambdas/api/request';
import type { AuditorDeps } from '../../lambdas/auditor/audit-jobs';
import { NO_RATES } from '../../lambdas/core/quotas/rates';
import { NO_USAGE } from '../../lambdas/core/quotas/usage';

/** For tests that quotas are no part of: everything is allowed, and nothing is read or written for it. */
export const noQuotas: { quotas: Quotas } & Pick<AuditorDeps, 'usage' | 'quotaLimits'> = {
  quotas: {
    charge: async () => undefined,
    check: async () => ({ used: NO_USAGE, bounds: NO_USAGE }),
    giveBack: async () => undefined,
    chargeRate: async () => undefined,
  },
  usage: {
    get: async () => NO_USAGE,
    add: async () => NO_USAGE,
    addRates: async () => NO_RATES,
    addEmailAddress: async () => 'added',
    getWithRates: async () => ({ counted: NO_USAGE, rates: NO_RATES, writtenBytes: 0 }),
    writtenOn: async () => 0,
    addWritten: async () => 0,
  },
  quotaLimits: {
    jobs: Number.MAX_SAFE_INTEGER,
    firesPerMinute: Number.MAX_SAFE_INTEGER,
    payloadBytes: Number.MAX_SAFE_INTEGER,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    changesPerMinute: Number.MAX_SAFE_INTEGER,
    writtenBytesPerDay: Number.MAX_SAFE_INTEGER,
    logBytesPerDay: Number.MAX_SAFE_INTEGER,
    logBytesPerAttempt: 524_288,
    runsPerMinute: Number.MAX_SAFE_INTEGER,
    reportsPerMinute: Number.MAX_SAFE_INTEGER,
    liveRuns: Number.MAX_SAFE_INTEGER,
  },
};
