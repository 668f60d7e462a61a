import { isMoving } from '../../../lambdas/core/domain/calendar';
import type { Job } from '../../../lambdas/core/domain/job';
import type { Calendar } from '../../../lambdas/core/schedule/calendar';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { jitterOffsetMs } from '../../../lambdas/core/schedule/jitter';
import { zoneOf } from '../../../lambdas/core/schedule/zone';
import { type Call, idOf, isManual, type Story, userOf, versionsIn } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** No first call for an occurrence that each content of a calendar excludes from the claim to the call. */
export function checkCalendars(story: Story): Violation[] {
  if (story.calendars.size === 0) return [];
  return story.calls.flatMap((call) => {
    if (isManual(call.execId)) return [];
    const states = story.states.get(idOf(call)) ?? [];
    const claimed = states.find(({ execution }) => execution.fence === call.fence);
    if (!claimed || claimed.execution.fence > 1 || claimed.execution.userRetries) return [];
    const jobs = versionsIn(story, call.jobKey, claimed.t, call.t);
    if (jobs.length === 0 || !jobs.every(({ job }) => job?.calendars && !isMoving(job.schedule))) return [];
    const isExcluded = jobs.every(({ job }) => excludes(job!, call, claimed.t, story));
    return isExcluded
      ? [broken('calendar', `${idOf(call)} called at ${clockTime(call.t)}: its calendar excludes it`)]
      : [];
  });
}

/** Whether one calendar of the job had the due time in each content of that time. */
const excludes = (job: Job, call: Call, fromMs: number, { calendars }: Story): boolean =>
  job.calendars!.some(({ id }) => {
    const versions = calendars.get(`${userOf(call.jobKey)}/${id}`) ?? [];
    const known = versions.filter(
      ({ t }, index) => t <= call.t && (versions[index + 1]?.t ?? Number.POSITIVE_INFINITY) > fromMs,
    );
    return known.length > 0 && known.every(({ calendar }) => has(calendar, plannedMs(job, call)));
  });

/** A calendar excludes the time of the schedule. The jitter comes later. */
function plannedMs({ schedule }: Job, { jobKey, dueAtMs }: Call): number {
  const jitter = typeof schedule === 'object' && 'jitter' in schedule ? schedule.jitter : undefined;
  return dueAtMs - jitterOffsetMs(jobKey, parseDuration(jitter ?? '0s'));
}

const has = (calendar: Calendar, atMs: number): boolean =>
  calendar.in(zoneOf('UTC')).has(Math.floor(atMs / 1000));
