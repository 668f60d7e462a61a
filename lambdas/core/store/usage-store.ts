import type { Rates } from '../quotas/rates';
import type { Usage } from '../quotas/usage';

/** What each user has of each quota: one row a user. The API adds to it, and the auditor corrects it. */
export interface UsageStore {
  /** Eventually consistent by default. A user without a row has nothing. */
  get(userId: string, options?: { consistent: boolean }): Promise<Usage>;
  /**
   * The usage, what the user did in a minute, and the bytes that requests wrote on its day. Eventually
   * consistent.
   *
   * @param minute since the epoch
   */
  getWithRates(
    userId: string,
    minute: number,
  ): Promise<{ counted: Usage; rates: Rates; writtenBytes: number }>;
  /**
   * Adds to the usage, and resolves to the sum. A try whose answer was lost may count twice; the auditor
   * corrects it.
   */
  add(userId: string, usage: Usage): Promise<Usage>;
  /**
   * Adds to what the user did in a minute, and resolves to the sum of that minute. Only the latest minute is
   * kept: an addition to an earlier one is not stored, and resolves to itself.
   *
   * @param minute since the epoch
   */
  addRates(userId: string, minute: number, rates: Rates): Promise<Rates>;
  /** The bytes that requests of the project wrote on a day: `20261201`. Eventually consistent. */
  writtenOn(userId: string, day: string): Promise<number>;
  /** Adds to them, and resolves to their sum. As with rates, only the latest day is kept. */
  addWritten(userId: string, day: string, bytes: number): Promise<number>;
  /**
   * Counts one more email address that the user has subscribed on a day, at most `limit`. Only the latest day
   * is kept: an earlier one counts as that. A try whose answer was lost may count twice.
   *
   * @param day in UTC: `20261201`
   */
  addEmailAddress(userId: string, day: string, limit: number): Promise<'added' | 'full'>;
}
