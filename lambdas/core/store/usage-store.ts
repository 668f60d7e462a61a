import type { Usage } from '../quotas/usage';

/** What each user has of each quota: one row a user. The API adds to it, and the auditor corrects it. */
export interface UsageStore {
  /** Eventually consistent by default. A user without a row has nothing. */
  get(userId: string, options?: { consistent: boolean }): Promise<Usage>;
  /**
   * Adds to the usage, and resolves to the sum. A try whose answer was lost may count twice; the auditor
   * corrects it.
   */
  add(userId: string, usage: Usage): Promise<Usage>;
}
