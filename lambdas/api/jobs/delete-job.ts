import { usageOf } from '../../core/quotas/usage-of';
import { releaseKey } from './create-job';
import { checkPreconditions, ifMatchOf } from '../http/etag';
import { removePendingEntry } from './remove-pending-entry';
import { recordPausedRange } from './save-job';
import { notFound, preconditionFailed } from '../http/problem';
import { requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 204. The history stays. What becomes due from now on finds no job. */
export async function deleteJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const preconditions = ifMatchOf(request);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');
  checkPreconditions(preconditions, job);
  const shardCount = await deps.shardCount();
  await recordPausedRange(job, deps.clock.nowMs(), deps);
  const { outcome } = await deps.jobs.remove(ref, preconditions.ifMatch && job.etag);
  if (outcome === 'changed') throw preconditionFailed();
  await removePendingEntry(job, { nowMs: deps.clock.nowMs(), shardCount }, deps);
  await releaseKey(job, deps);
  await deps.quotas.giveBack(ref.userId, usageOf(job, deps.clock.nowMs()));
  return { status: 204 };
}
