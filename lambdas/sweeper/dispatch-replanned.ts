import { jobKeyOf } from '../core/contracts/tables';
import { dispatch } from '../core/dispatch/dispatch';
import { ensureNextEntry } from '../core/dispatch/next-entry';
import { entryAfter, scheduleOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import { planMissed } from '../core/domain/plan-entry';
import { runsThrough } from '../core/domain/planned-times';
import { shardOf } from '../core/domain/shard';
import type { Schedule } from '../core/schedule/schedule';
import type { RecheckContext } from './recheck';

/**
 * The job was replanned for a changed calendar, and plans occurrences from before that as it did. Decides
 * those from `firstMs`, which is one, through `lastMs` by the misfire policy. The present series begins
 * later.
 *
 * @returns false if the job has changed meanwhile, so that nothing was decided
 */
export async function dispatchReplanned(
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
  job: Job,
  { deps, pacer }: RecheckContext,
): Promise<boolean> {
  const schedule = scheduleOf(job);
  const entry = entryAfter(job, schedule, {
    afterMs: firstMs - 1,
    runsBefore: runsBefore(job, schedule, firstMs),
    shard: shardOf(jobKeyOf(job), await deps.shardCount()),
    nowMs: deps.clock.nowMs(),
  });
  if (!entry) return true;
  // Their claims name the present revision, and so prove that its series goes on.
  await ensureNextEntry({ ...entry, throughMs: Math.max(entry.dueAtMs, lastMs) }, job, deps);
  const { refused, outdated } = await dispatch([{ entry, job, plan: planMissed(lastMs) }], deps, pacer);
  if (refused.has(entry)) throw refused.get(entry);
  return !outdated.has(entry);
}

/** Runs before an occurrence. With those from there on, they add up to what the calendar's change counted. */
function runsBefore(job: Job, schedule: Schedule, atMs: number): number {
  const baseMs = Math.max(job.runsBase?.atMs ?? atMs, atMs - 1);
  const since = schedule.maxRuns === undefined ? 0 : schedule.count(atMs - 1, baseMs, schedule.maxRuns);
  return Math.max(0, runsThrough(job, schedule, baseMs) - since);
}
