import { tellCalendarEnd } from '../core/alerts/tell-calendar-end';
import type { CalendarPointer } from '../core/domain/calendar';
import type { Job } from '../core/domain/job';
import { expireVersion, type ReplanCalendarDeps, replanCalendar } from '../core/job-writes/replan-calendar';
import { replanJob } from '../core/job-writes/replan-job';

/**
 * Tells of calendars that end, and works off changes of calendars that no request has finished. The pointers
 * of a user come before the jobs of that user. So a change under way is continued first. Then each job of an
 * earlier version is replanned, whatever left it so, and its version does not expire before. A pointer that
 * was not scanned is read once: the calendar was deleted, or an invocation has begun amid the user's jobs.
 */
export function calendarAudit(deps: ReplanCalendarDeps, hasTime: () => boolean) {
  let userId: string | undefined;
  /** By the ids of this user's calendars. Undefined: there is none. */
  const changedAtMs = new Map<string, number | undefined>();
  const goTo = (next: string) => {
    if (next !== userId) changedAtMs.clear();
    userId = next;
  };
  return {
    /** Whether nothing of the change is left. */
    async pointer(pointer: CalendarPointer): Promise<boolean> {
      goTo(pointer.userId);
      changedAtMs.set(pointer.calendarId, pointer.changedAtMs);
      if (!pointer.changing) {
        await tellCalendarEnd(pointer, deps);
        return true;
      }
      // the scan may be stale
      const current = await deps.calendars.get(pointer);
      if (!current?.changing) return true;
      const { replanned, remaining, movedIntoPast } = await replanCalendar(current, { hasTime }, deps);
      const { calendarId } = pointer;
      deps.log.warn('a change of a calendar was continued', {
        userId,
        calendarId,
        replanned,
        remaining,
        movedIntoPast,
      });
      return remaining === 0;
    },
    /** Whether the job was replanned. */
    async job(job: Job): Promise<boolean> {
      if (!job.calendars) return false;
      goTo(job.userId);
      for (const { id } of job.calendars) {
        if (changedAtMs.has(id)) continue;
        changedAtMs.set(id, (await deps.calendars.get({ userId: job.userId, calendarId: id }))?.changedAtMs);
      }
      if (job.calendars.every(({ id, sinceMs }) => changedAtMs.get(id) === sinceMs)) return false;
      const current = await deps.jobs.get(job);
      if (!current) return false;
      await prolongVersions(current, deps);
      return (await replanJob(current, deps)) !== undefined;
    },
  };
}

/**
 * Lets the versions live on that a job names still, although they were replaced. Such a job cannot be planned
 * anew, or was saved while its calendar was deleted. The pointers are read after the job, and none names a
 * version again. So what is not a pointer's version now has been replaced.
 */
async function prolongVersions({ userId, calendars = [] }: Job, deps: ReplanCalendarDeps): Promise<void> {
  for (const { id, version } of calendars) {
    const key = { userId, calendarId: id };
    const pointer = await deps.calendars.get(key);
    if (pointer?.version !== version) await expireVersion(key, version, deps);
  }
}
