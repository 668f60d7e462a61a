import type { PreviewView } from '../../core/http/times-answers';
import { PreviewBody } from '../../core/http/queries';
import type { CalendarInUse } from '../../core/schedule/calendar-rules';
import { preview } from '../../core/schedule/preview';
import { ScheduleError } from '../../core/schedule/schedule-error';
import type { ScheduleSpec } from '../../core/schedule/spec';
import { validateSchedule } from '../../core/schedule/validate';
import { calendarsOf } from '../calendars/calendars-of';
import { schedulePath } from '../jobs/job-changes';
import { invalidField } from '../http/problem';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { timesView } from './times-view';

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
