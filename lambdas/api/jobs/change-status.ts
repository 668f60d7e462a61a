import { EmptyBody } from '../../core/http/job';
import type { Job } from '../../core/domain/job';
import { ifMatchOf } from '../http/etag';
import type { ChangeDeps } from './job-changes';
import { jobResponse } from './job-view';
import { notFound } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiRequest, OperationHandler } from '../request';
import { saveJob } from './save-job';

/** 200 with the job after a change that takes no input; one that is so already stays as it is. */
export const changeStatus =
  (change: (current: Job, at: ChangeDeps, request: ApiRequest) => Job): OperationHandler =>
  async (request, deps) => {
    const ref = requestedJob(request);
    readOptionalBody(request, EmptyBody);
    const seen = await deps.jobs.get(ref);
    if (!seen) throw notFound('job');
    const decide = (current: Job | undefined) => {
      if (!current) throw notFound('job');
      return (at: ChangeDeps) => change(current, at, request);
    };
    const { job } = await saveJob(ref, { seen, ifMatch: ifMatchOf(request) }, decide, deps);
    return jobResponse(200, job, deps);
  };
