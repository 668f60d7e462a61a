import type { Job } from '../../core/domain/job';
import { usageOf } from '../../core/quotas/usage-of';
import { authorOf } from '../http/author';
import { releaseKey } from './create-job';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { keepState } from '../../core/job-writes/keep-state';
import {
  removeExpectation,
  removePendingEntry,
  removeResumption,
} from '../../core/job-writes/remove-entries';
import { recordPausedRange } from '../../core/job-writes/record-paused-range';
import { resumedFirst } from '../../core/job-writes/resume-paused';
import { MAX_TRIES, startChange } from './save-job';
import { conflict, notFound } from '../http/problem';
import { withinDeadline } from '../../core/store/write-deadline';
import { requestedJob } from '../http/parse-request';
import { expirePingKey } from '../pings/ping-keys';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 204. The history stays. What becomes due from now on finds no job. If another request changes the job
 * meanwhile, deletes it in that state.
 *
 * Order of writes: the last state, with the deletion → the removal, on condition of that state. A crash
 * between them leaves the job, and a deletion that is not shown as long as the job exists.
 *
 * The record of a pause reaches to one clock reading. What falls due later has none, so the job is deleted
 * soon after that reading, or not at all (503).
 */
export async function deleteJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const author = authorOf(request);
  const preconditions = preconditionsOf(request);
  const found = await deps.jobs.get(ref);
  if (!found) throw notFound('job');
  let job: Job = found;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    checkPreconditions(preconditions, job);
    const moment = await startChange(job, deps);
    const resumed = await resumedFirst(job, moment.nowMs, deps);
    if (!resumed) throw notFound('job');
    if (resumed !== job) {
      job = resumed;
      continue;
    }
    await recordPausedRange(job, moment.nowMs, deps);
    await keepState(job, moment, deps, { removed: { ...author, atMs: moment.nowMs } });
    const { etag }: Job = job;
    const removal = await withinDeadline(moment, (options) => deps.jobs.remove(ref, etag, options), deps);
    if (removal.outcome === 'deleted') {
      await removePendingEntry(job, { nowMs: deps.clock.nowMs(), shardCount: moment.shardCount }, deps);
      await removeExpectation(job, undefined, moment, deps);
      await removeResumption(job, undefined, moment, deps);
      await expirePingKey(job, undefined, deps);
      await releaseKey(job, deps);
      await deps.quotas.giveBack(ref.userId, usageOf(job, deps.clock.nowMs()));
      return { status: 204 };
    }
    job = removal.current;
  }
  throw conflict('other requests keep changing the job; read it again and repeat the request');
}
