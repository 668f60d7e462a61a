import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Entry } from '../domain/entry';
import { firstEntry, scheduleOf } from '../domain/entry-planning';
import { expectationEntry, firstExpectation, isExpected } from '../domain/expectation';
import type { Job } from '../domain/job';
import { isToBeResumed, resumptionEntry, resumptionOf } from '../domain/resumption';
import { shardOf } from '../domain/shard';
import { mayHaveBeenSent } from '../domain/timing';

/**
 * Deletes the pending entry of a revision that was replaced, or whose job was deleted. Otherwise a user who
 * changes a job again and again fills a bucket with entries that the scanner and the sweeper read for
 * nothing.
 *
 * It deletes only an entry whose occurrences no stage can have dispatched. The recheck settles every other
 * one: it records what was due, and refuses late claims (docs/adr/0016). Call when the write of the job is
 * acknowledged. A failure is only logged, because the recheck settles that entry too. The same holds for an
 * entry that an earlier shard count filed.
 *
 * @param job as it was
 * @param change its clock reading is that of the change
 */
export async function removePendingEntry(
  job: Job,
  change: { nowMs: number; shardCount: number },
  deps: Pick<StageDeps, 'schedule' | 'horizonMs' | 'log'>,
): Promise<void> {
  if (job.status !== 'active') return;
  const entryOf = () => {
    const shard = shardOf(jobKeyOf(job), change.shardCount);
    const entry = firstEntry(job, scheduleOf(job), shard, change.nowMs);
    return entry && !mayHaveBeenSent(entry.dueAtMs, change.nowMs, deps.horizonMs) ? entry : undefined;
  };
  await removeOrLeaveToRecheck(jobKeyOf(job), 'entry of a replaced revision', entryOf, deps);
}

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

/**
 * Deletes the entry by which a job was to be resumed, if it is not any more. Otherwise a user who pauses a
 * job again and again fills a bucket.
 *
 * @param before the job as it was
 * @param after the job as it is; undefined: it is deleted
 */
export async function removeResumption(
  before: Job,
  after: Job | undefined,
  { shardCount }: { shardCount: number },
  deps: Pick<StageDeps, 'schedule' | 'log'>,
): Promise<void> {
  const asked = resumptionOf(before);
  if (!asked || (after && isToBeResumed(asked, after))) return;
  const entryOf = () => resumptionEntry(before, asked, { shardCount, fromMs: 0 });
  await removeOrLeaveToRecheck(jobKeyOf(before), 'entry of a resumption', entryOf, deps);
}

/**
 * Deletes an entry of a job that is no longer needed. A failure is only logged, because the recheck of the
 * entry settles it too.
 *
 * @param what names the entry in the log
 * @param entryOf returns the entry; undefined: there is none to delete. If it throws, that is logged.
 */
async function removeOrLeaveToRecheck(
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
