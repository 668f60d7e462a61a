import { instantText } from '../../core/clock/clock';
import { EmptyBody, PauseBody } from '../../core/http/job';
import { MAX_DELAY } from '../../core/http/run';
import type { Job } from '../../core/domain/job';
import { nextPlanned } from '../../core/domain/planned-times';
import { parseDuration } from '../../core/schedule/duration';
import { isExternal } from '../../core/schedule/spec';
import { authorOf, changeOriginOf } from '../http/author';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { paused, resumed, type JobWithSchedule, withSchedule } from './job-changes';
import { jobResponse } from './job-view';
import { checkNotOwn } from '../http/loop-guard';
import { invalidField, notFound } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeJob } from './change-job';
import { repeatOnLostRace, type SavedJob, startChange } from './save-job';

/**
 * 200 with the paused job. No new attempt calls the target after this response, until a user resumes it or
 * the time comes that the body names. A pause again replaces that time, or takes it away.
 */
export const pauseJob = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  jobResponse(200, await pauseOneJob(request, deps), deps);

/** @param keepsEndless a job that is paused without an end stays so, whatever the body says */
export async function pauseOneJob(
  request: ApiRequest,
  deps: ApiDeps,
  { keepsEndless = false } = {},
): Promise<SavedJob> {
  const { until: resumeAtMs } = readOptionalBody(request, PauseBody);
  const changed = (current: Job, nowMs: number) => {
    const isEndless = current.status === 'paused' && current.resumeAtMs === undefined;
    if (keepsEndless && isEndless && resumeAtMs !== undefined) return withSchedule(current);
    const next = paused(current, authorOf(request), { nowMs, resumeAtMs }, deps);
    if (resumeAtMs !== undefined) checkFires(resumeAtMs, next, nowMs);
    return next;
  };
  return changeStatus(request, changed, deps);
}

/** Throws `ProblemError` 400 for a time that is past or far. */
export function checkUntil(untilMs: number, nowMs: number): void {
  if (untilMs > nowMs && untilMs - nowMs <= parseDuration(MAX_DELAY)) return;
  const is = untilMs > nowMs ? 'too far ahead' : 'not in the future';
  throw invalidField('until', `${instantText(untilMs)} is ${is}: must be within the next ${MAX_DELAY}`);
}

/** Throws `ProblemError` 400 for a time from which on the job plans nothing, too. */
function checkFires(untilMs: number, { job, schedule }: JobWithSchedule, nowMs: number): void {
  checkUntil(untilMs, nowMs);
  if (!isExternal(job.schedule) && nextPlanned(job, schedule, untilMs - 1) === undefined)
    throw invalidField('until', 'must not be after the last due time of the job: pause it without until');
}

/**
 * 200 with the active job. It next fires at its first occurrence after now; those of the pause never fire.
 */
export const resumeJob = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  jobResponse(200, await resumeOneJob(request, deps), deps);

export async function resumeOneJob(request: ApiRequest, deps: ApiDeps): Promise<SavedJob> {
  readOptionalBody(request, EmptyBody);
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
