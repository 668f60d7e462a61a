import { jobKeyOf } from '../contracts/tables';
import { firstEntry, scheduleOf } from '../domain/entry-planning';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import { mayHaveBeenSent } from '../domain/timing';
import type { StageDeps } from '../deps';
import { removeOrLeaveToRecheck } from './remove-entry';

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
