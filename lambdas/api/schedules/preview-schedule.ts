import type { PreviewView } from '../../core/http/answers';
import { PreviewBody } from '../../core/http/queries';
import { preview } from '../../core/schedule/preview';
import { ScheduleError } from '../../core/schedule/schedule-error';
import type { ScheduleSpec } from '../../core/schedule/spec';
import { validateSchedule } from '../../core/schedule/validate';
import { schedulePath } from '../jobs/job-changes';
import { invalidField } from '../http/problem';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { timesView } from './times-view';

/** What a schedule would do, counted from `from` (now): its jitter is left out, for it belongs to a job. */
export async function previewSchedule(request: ApiRequest, { clock }: ApiDeps): Promise<ApiResponse> {
  const { schedule: spec, count, from: fromMs = clock.nowMs() } = readBody(request, PreviewBody);
  const schedule = scheduleFrom(spec, fromMs);
  // The words for cron come with a package that nothing else needs.
  const { describe } = await import('../../core/schedule/describe.ts');
  const body: PreviewView = {
    times: timesView(preview(schedule, fromMs, count)),
    description: describe(spec),
  };
  return { status: 200, body };
}

/** Throws `ProblemError` 400. */
function scheduleFrom(spec: ScheduleSpec, fromMs: number) {
  try {
    const plain = typeof spec === 'object' && 'jitter' in spec ? { ...spec, jitter: undefined } : spec;
    return validateSchedule(plain, { jobKey: '', changedAtMs: fromMs }, fromMs);
  } catch (error) {
    if (error instanceof ScheduleError) throw invalidField(schedulePath(error), error.message);
    throw error;
  }
}
