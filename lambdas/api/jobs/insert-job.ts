import { dispatchFirst } from '../../core/dispatch/dispatch-ahead';
import { withinDeadline } from '../../core/store/write-deadline';
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

/**
 * Stores a new job. If another job has its id, that one stays as it is.
 *
 * Order of writes: rows of what the job uses → the marks of its upstream jobs → the version of its workflow.
 * Then: the entries of the first due time and of `expectEvery` → the job, if no other one has its id →
 * dispatch ahead.
 *
 * Dispatch ahead follows only if the scanner may already have passed the entry's bucket. An entry without its
 * job is settled later; a job without an entry would be lost.
 */
export async function insertJob(
  next: JobWithSchedule,
  moment: ChangeMoment,
  deps: ApiDeps,
): Promise<SavedJob | LostRace> {
  const { job, schedule } = next;
  await checkReferences(undefined, job, jobsOf(job.userId, deps), deps);
  const plan = planOf(undefined, job, moment);
  const usage = await chargeSave(undefined, next, plan.entries, moment, deps);
  await putNamed(undefined, job, moment, deps);
  const first = await putEntries(next, plan, moment, deps);

  const written = await withinDeadline(moment, (options) => deps.jobs.create(job, options), deps);
  if (written.outcome !== 'created') return giveBack(job, written.current, usage, deps);
  if (first) await dispatchFirst(first, job, deps);
  return { ...(await asPlannedNow(job, schedule, deps)), outcome: 'created' };
}
