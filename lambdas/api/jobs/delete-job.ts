import { usageOf } from '../../core/quotas/usage-of';
import { releaseKey } from './create-job';
import { checkPreconditions, ifMatchOf } from '../http/etag';
import { removePendingEntry } from './remove-pending-entry';
import { recordPausedRange, startChange } from './save-job';
import { notFound, preconditionFailed } from '../http/problem';
import { withinDeadline } from '../http/write-deadline';
import { requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 204. The history stays. What becomes due from now on finds no job.
 *
 * The record of a pause reaches to one clock reading. What falls due later has none, so the job is deleted
 * soon after that reading, or not at all (503).
 */
export async function deleteJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const preconditions = ifMatchOf(request);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');
  checkPreconditions(preconditions, job);
  const moment = await startChange(deps);
  await recordPausedRange(job, moment.nowMs, deps);
  const seenEtag = preconditions.ifMatch && job.etag;
  const { outcome } = await withinDeadline(
    moment,
    (options) => deps.jobs.remove(ref, seenEtag, options),
    deps,
  );
  if (outcome === 'changed') throw preconditionFailed();
  const { shardCount } = moment;
  await removePendingEntry(job, { nowMs: deps.clock.nowMs(), shardCount }, deps);
  await releaseKey(job, deps);
  await deps.quotas.giveBack(ref.userId, usageOf(job, deps.clock.nowMs()));
  return { status: 204 };
}
