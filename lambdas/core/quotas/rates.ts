import type { QuotaLimits } from '../contracts/quotas';

/** What a user does in one minute of the clock. */
export interface Rates {
  requests: number;
  changes: number;
  runs: number;
}

export const RATE_FIELDS = ['requests', 'changes', 'runs'] as const satisfies (keyof Rates)[];

export const NO_RATES: Rates = { requests: 0, changes: 0, runs: 0 };

/** The quota that bounds each. */
export const RATE_QUOTAS = {
  requests: 'requestsPerMinute',
  changes: 'changesPerMinute',
  runs: 'runsPerMinute',
} as const satisfies Record<keyof Rates, keyof QuotaLimits>;
