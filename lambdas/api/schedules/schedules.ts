import type { PreviewView, TimesView } from '../../core/http/openapi/answers';
import { PreviewBody, UpcomingQuery } from '../../core/http/queries';
import type { CalendarInUse } from '../../core/schedule/calendar-rules';
import { preview, type PreviewedTime } from '../../core/schedule/preview';
import { ScheduleError } from '../../core/schedule/schedule-error';
import type { ScheduleSpec } from '../../core/schedule/spec';
import { validateSchedule } from '../../core/schedule/validate';
import { scheduleContextOf } from '../../core/domain/entry-planning';
import { runsLeftAfter } from '../../core/domain/planned-times';
import { asPlannedAhead } from '../../core/domain/resumption';
import { parseSchedule } from '../../core/schedule/parse';
import { instantText } from '../../core/clock/clock';
import { calendarsOf } from '../calendars/calendars-of';
import { schedulePath } from '../jobs/job-changes';
import { invalidField, notFound } from '../http/problem';
import { readBody, requestedJob, readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with a schedule's due times after `from`, by default now. Jitter is left out: it depends on the job's
 * id.
 */
export async function previewSchedule(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { schedule: spec, count, from: fromMs = deps.clock.nowMs() } = readBody(request, PreviewBody);
  const schedule = scheduleFrom(spec, fromMs, await calendarsOf(spec, request.project, deps));
  // Loaded on demand: its package, which puts cron into words, is needed nowhere else.
  const { describe } = await import('../../core/schedule/describe.ts');
  const body: PreviewView = {
    times: timesView(preview(schedule, fromMs, count)),
    description: describe(spec),
  };
  return { status: 200, body };
}

/** The schedule, checked as in a job that is created at `fromMs`. Throws `ProblemError` 400. */
function scheduleFrom(spec: ScheduleSpec, fromMs: number, calendars: readonly CalendarInUse[]) {
  try {
    const plain = typeof spec === 'object' && 'jitter' in spec ? { ...spec, jitter: undefined } : spec;
    return validateSchedule(plain, { jobKey: '', changedAtMs: fromMs, calendars }, fromMs);
  } catch (error) {
    if (error instanceof ScheduleError) throw invalidField(schedulePath(error), error.message);
    throw error;
  }
}

/** 200 with the next due times: none of a paused job, unless its pause has an end. */
export async function listUpcoming(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { count } = readQuery(request, UpcomingQuery);
  const stored = await deps.jobs.get(ref);
  if (!stored) throw notFound('job');
  const job = asPlannedAhead(stored);
  const afterMs = Math.max(deps.clock.nowMs(), job.activeSinceMs);
  const schedule = parseSchedule(job.schedule, scheduleContextOf(job));
  const left = runsLeftAfter(job, schedule, afterMs);
  const times = job.status === 'active' ? preview(schedule, afterMs, Math.min(count, left)) : [];
  const body: TimesView = { times: timesView(times) };
  return { status: 200, body };
}

const timesView = (times: readonly PreviewedTime[]): TimesView['times'] =>
  times.map(({ atMs, local, note }) => ({
    at: instantText(atMs),
    local,
    ...(note === undefined ? {} : { note }),
  }));
