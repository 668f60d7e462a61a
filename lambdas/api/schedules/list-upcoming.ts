import type { TimesView } from '../../core/http/times-answers';
import { UpcomingQuery } from '../../core/http/queries';
import { scheduleContextOf } from '../../core/domain/entry-planning';
import { runsLeftAfter } from '../../core/domain/planned-times';
import { parseSchedule } from '../../core/schedule/parse';
import { preview } from '../../core/schedule/preview';
import { notFound } from '../http/problem';
import { requestedJob, readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { timesView } from './times-view';

/** 200 with the next due times; none while the job is paused. */
export async function listUpcoming(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { count } = readQuery(request, UpcomingQuery);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');
  const nowMs = deps.clock.nowMs();
  const schedule = parseSchedule(job.schedule, scheduleContextOf(job));
  const left = runsLeftAfter(job, schedule, nowMs);
  const times = job.status === 'active' ? preview(schedule, nowMs, Math.min(count, left)) : [];
  const body: TimesView = { times: timesView(times) };
  return { status: 200, body };
}
