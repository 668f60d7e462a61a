import { dispatchFirst } from '../../core/dispatch/dispatch-ahead';
import { countToMove, moveWaiting } from '../../core/attempts/move-waiting';
import type { Job } from '../../core/domain/job';
import { keepState } from '../../core/job-writes/keep-state';
import { recordPausedRange } from '../../core/job-writes/record-paused-range';
import {
  removeExpectation,
  removePendingEntry,
  removeResumption,
} from '../../core/job-writes/remove-entries';
import { resumedFirst } from '../../core/job-writes/resume-paused';
import { withinDeadline } from '../../core/store/write-deadline';
import type { WriteOptions } from '../../core/store/write-options';
import { expirePingKey } from '../pings/ping-keys';
import type { ApiDeps } from '../request';
import { checkReferences, jobsOf } from './check-references';
import type { JobWithSchedule } from './job-changes';
import {
  asPlannedNow,
  type ChangeMoment,
  chargeSave,
  giveBack,
  type LostRace,
  planOf,
  putEntries,
  putNamed,
  type SavedJob,
} from './save-job';

/** Share of `changesPerMinute` that a change of a job may take for work that moves to another queue. */
const MOVED_SHARE = 0.1;

/**
 * Stores a new state of `current`, if that is still the job's. A `next.job` that is the very object `current`
 * changes nothing. A job whose pause should have ended by now is resumed instead, and counts as changed by
 * another request.
 *
 * Order of writes: the record of a pause → the state before → what an insert writes before the job → the job
 * (conditional) → dispatch ahead. Entries that no state needs any more go next, and work that waits in a
 * queue that the job has left moves last.
 *
 * A kept state without its change is not shown: the job still has its etag. A change without it could not be
 * undone.
 */
export async function changeJob(
  current: Job,
  next: JobWithSchedule,
  moment: ChangeMoment,
  deps: ApiDeps,
): Promise<SavedJob | LostRace> {
  const { job, schedule } = next;
  if (job === current) return { job, schedule, outcome: 'unchanged' };
  const charge = () => deps.quotas.chargeRate(job.userId, 'changes');
  const resumed = await resumedFirst(current, moment.nowMs, deps, charge);
  if (resumed !== current) return { outcome: 'lost-race', ...(resumed && { current: resumed }) };
  await checkReferences(current, job, jobsOf(job.userId, deps), deps);
  const plan = planOf(current, job, moment);
  const moving = await movedBy(current, job, deps);
  const usage = await chargeSave(current, next, moving + plan.entries, moment, deps);
  const isNewRevision = current.revision !== job.revision;
  if (isNewRevision) await recordPausedRange(current, moment.nowMs, deps);
  await keepState(current, moment, deps);
  await putNamed(current, job, moment, deps);
  const first = await putEntries(next, plan, moment, deps);

  const replace = (options: WriteOptions) => deps.jobs.replace(job, current.etag, options);
  const written = await withinDeadline(moment, replace, deps);
  if (written.outcome !== 'replaced') return giveBack(job, written.current, usage, deps);
  if (first) await dispatchFirst(first, job, deps);
  if (isNewRevision) await removePendingEntry(current, moment, deps);
  await removeExpectation(current, job, moment, deps);
  await removeResumption(current, job, moment, deps);
  await expirePingKey(current, job, deps);
  if (moving > 0) await moveWaiting(current, job, moving, deps);
  return { ...(await asPlannedNow(job, schedule, deps)), outcome: 'replaced' };
}

/** How many executions move to another queue. One change may take a part of the minute's entries for that. */
async function movedBy(current: Job, job: Job, deps: ApiDeps): Promise<number> {
  const most = Math.max(1, Math.floor(deps.deployment.quotas.changesPerMinute * MOVED_SHARE));
  return Math.min(most, await countToMove(current, job, deps));
}
