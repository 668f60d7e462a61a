import type { StageDeps } from '../deps';
import type { Entry } from '../domain/entry';

/**
 * Deletes an entry of a job that is no longer needed. A failure is only logged, because the recheck of the
 * entry settles it too.
 *
 * @param what names the entry in the log
 * @param entryOf returns the entry; undefined: there is none to delete. If it throws, that is logged.
 */
export async function removeOrLeaveToRecheck(
  jobKey: string,
  what: string,
  entryOf: () => Entry | undefined,
  { schedule, log }: Pick<StageDeps, 'schedule' | 'log'>,
): Promise<void> {
  try {
    const entry = entryOf();
    if (entry) await schedule.removeEntry(entry);
  } catch (error) {
    log.warn(`${what} is left to its recheck`, { job: jobKey, error });
  }
}
