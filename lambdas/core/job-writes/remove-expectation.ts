import { expectationEntry } from '../alerts/expectations';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { firstExpectation, isExpected } from '../domain/expectation';
import type { Job } from '../domain/job';
import { removeOrLeaveToRecheck } from './remove-entry';

/**
 * Deletes the entry of the first expectation of a job that no longer expects so. Otherwise a user who changes
 * `expectEvery` again and again fills a bucket. Entries of later expectations are settled by their rechecks,
 * as is this one if the deletion fails.
 *
 * @param before the job as it was
 * @param after the job as it is; undefined: it is deleted
 */
export async function removeExpectation(
  before: Job,
  after: Job | undefined,
  { shardCount }: { shardCount: number },
  deps: Pick<StageDeps, 'schedule' | 'log'>,
): Promise<void> {
  const first = firstExpectation(before);
  if (!first || (after && isExpected(first, after))) return;
  const entryOf = () => expectationEntry(before, first, { shardCount, fromMs: 0 });
  await removeOrLeaveToRecheck(jobKeyOf(before), 'entry of an expectation', entryOf, deps);
}
