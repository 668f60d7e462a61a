import type { Usage } from '../quotas/usage';

/** What each user has of what quotas bound: one row a user, kept near the truth by whoever adds to it. */
export interface UsageStore {
  /** Eventually consistent unless asked otherwise. A user without a row has nothing. */
  get(userId: string, options?: { consistent: boolean }): Promise<Usage>;
  /** Adds to it, and resolves to what it then is. A try whose answer was lost may count twice: the auditor mends it. */
  add(userId: string, usage: Usage): Promise<Usage>;
}
