import { isMoving } from '../../../lambdas/core/domain/calendar';
import type { Job } from '../../../lambdas/core/domain/job';
import type { Calendar } from '../../../lambdas/core/schedule/calendar';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { jitterOffsetMs } from '../../../lambdas/core/schedule/parse';
import { zoneOf } from '../../../lambdas/core/schedule/zone';
import { type Call, idOf, isManual, isTask, type Story, userOf, versionsIn } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/**
 * No first call for an occurrence that each content of a calendar excludes from the claim to the call. A run
 * that has begun goes on: a later change of a calendar excludes none of its tasks.
 */
export function checkCalendars(story: Story): Violation[] {
  if (story.calendars.size === 0) return [];
  return story.calls.flatMap((call) => {
    if (isManual(call.execId) || isTask(call.execId)) return [];
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

/**
 * Whether the calendars of a job exclude the due time in each content of that time. One that it excludes has
 * it, or none of those that it keeps to has it.
 */
function excludes(job: Job, call: Call, fromMs: number, { calendars }: Story): boolean {
  const atMs = plannedMs(job, call);
  const contents = job.calendars!.map(({ id }) => {
    const versions = calendars.get(`${userOf(call.jobKey)}/${id}`) ?? [];
    const known = versions.filter(
      ({ t }, index) => t <= call.t && (versions[index + 1]?.t ?? Number.POSITIVE_INFINITY) > fromMs,
    );
    return { id, known };
  });
  const only = typeof job.schedule === 'object' && 'only' in job.schedule ? (job.schedule.only ?? []) : [];
  const isKeptTo = ({ id }: { id: string }) => only.some(({ calendar }) => calendar === id);
  const kept = contents.filter(isKeptTo);
  const isOutside = kept.every(
    ({ known }) => known.length > 0 && !known.some(({ calendar }) => has(calendar, atMs)),
  );
  if (kept.length > 0 && isOutside) return true;
  const excluded = contents.filter((one) => !isKeptTo(one));
  return excluded.some(({ known }) => known.length > 0 && known.every(({ calendar }) => has(calendar, atMs)));
}

/** A calendar excludes the time of the schedule. The jitter comes later. */
function plannedMs({ schedule }: Job, { jobKey, dueAtMs }: Call): number {
  const jitter = typeof schedule === 'object' && 'jitter' in schedule ? schedule.jitter : undefined;
  return dueAtMs - jitterOffsetMs(jobKey, parseDuration(jitter ?? '0s'));
}

const has = (calendar: Calendar, atMs: number): boolean =>
  calendar.in(zoneOf('UTC')).has(Math.floor(atMs / 1000));
