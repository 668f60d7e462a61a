import type { KeptState, StateId } from '../domain/job-state';
import type { WriteOptions } from './write-options';

/** The states that jobs had before their changes. A job's present state is its own row alone. */
export interface ChangeStore {
  /** Writes a state. If it is kept already, with an end that this one does not have, that end stays. */
  put(jobKey: string, state: KeptState, options?: WriteOptions): Promise<void>;
  /**
   * States of all jobs that have had the id: of the newest job first, of each job the highest number first.
   * Consistent. Bounds are keys of `changeSortOf`: `from` inclusive, `before` exclusive. `nextBefore`
   * continues; undefined at the end.
   */
  list(
    jobKey: string,
    page: { from?: string; before?: string; limit: number },
  ): Promise<{ states: KeptState[]; nextBefore?: string }>;
  /** Removes the definition from a state for good. False if there is no such state. */
  erase(jobKey: string, id: StateId): Promise<boolean>;
}
