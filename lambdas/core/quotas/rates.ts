import type { QuotaLimits } from '../contracts/quotas';

/** What a user does in one minute of the clock. */
export interface Rates {
  requests: number;
  changes: number;
  runs: number;
  /** Of attempts, by their tokens. */
  reports: number;
}

export const RATE_FIELDS = ['requests', 'changes', 'runs', 'reports'] as const satisfies (keyof Rates)[];

export const NO_RATES: Rates = { requests: 0, changes: 0, runs: 0, reports: 0 };

/** The quota that bounds each. */
export const RATE_QUOTAS = {
  requests: 'requestsPerMinute',
  changes: 'changesPerMinute',
  runs: 'runsPerMinute',
  reports: 'reportsPerMinute',
} as const satisfies Record<keyof Rates, keyof QuotaLimits>;
