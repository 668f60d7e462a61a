import { EmptyBody } from '../../core/http/job';
import type { Job } from '../../core/domain/job';
import { authorOf, changeOriginOf } from '../http/author';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { paused, resumed, type JobWithSchedule } from './job-changes';
import { jobResponse } from './job-view';
import { checkNotOwn } from '../http/loop-guard';
import { notFound } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeJob } from './change-job';
import { repeatOnLostRace, type SavedJob, startChange } from './save-job';

/** 200 with the paused job. No new attempt calls the target after this response. */
export const pauseJob = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  jobResponse(200, await pauseOneJob(request, deps), deps);

export const pauseOneJob = (request: ApiRequest, deps: ApiDeps): Promise<SavedJob> =>
  changeStatus(request, (current, nowMs) => paused(current, authorOf(request), nowMs, deps), deps);

/**
 * 200 with the active job. It next fires at its first occurrence after now; those of the pause never fire.
 */
export const resumeJob = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  jobResponse(200, await resumeOneJob(request, deps), deps);

export async function resumeOneJob(request: ApiRequest, deps: ApiDeps): Promise<SavedJob> {
  const origin = await changeOriginOf(request);
  return changeStatus(
    request,
    (current, nowMs) => {
      checkNotOwn(current, request);
      return resumed(current, origin, nowMs, deps);
    },
    deps,
  );
}

async function changeStatus(
  request: ApiRequest,
  changed: (current: Job, nowMs: number) => JobWithSchedule,
  deps: ApiDeps,
): Promise<SavedJob> {
  const ref = requestedJob(request);
  readOptionalBody(request, EmptyBody);
  const preconditions = preconditionsOf(request);
  const seen = await deps.jobs.get(ref);
  if (!seen) throw notFound('job');
  return repeatOnLostRace(seen, async (current) => {
    checkPreconditions(preconditions, current);
    if (!current) throw notFound('job');
    const moment = await startChange(current, deps);
    return changeJob(current, changed(current, moment.nowMs), moment, deps);
  });
}
