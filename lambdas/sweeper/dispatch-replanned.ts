import { jobKeyOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { dispatchAhead } from '../core/dispatch/dispatch-ahead';
import { entryAfter, scheduleOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import { runsThrough } from '../core/domain/planned-times';
import { shardOf } from '../core/domain/shard';

/**
 * The job was replanned for a changed calendar, and plans the occurrence at `firstMs` as before: files an
 * entry of its present revision. If the series has not got there, that entry decides what follows too.
 */
export async function dispatchReplanned(firstMs: number, job: Job, deps: StageDeps): Promise<void> {
  const schedule = scheduleOf(job);
  const afterMs = firstMs - 1;
  const entry = entryAfter(job, schedule, {
    afterMs,
    runsBefore: runsThrough(job, schedule, afterMs),
    shard: shardOf(jobKeyOf(job), await deps.shardCount()),
    nowMs: deps.clock.nowMs(),
  });
  if (!entry) return;
  await deps.schedule.putEntries([entry]);
  await dispatchAhead(entry, job, deps);
}
