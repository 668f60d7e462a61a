import { tellCalendarEnd } from '../core/alerts/tell-calendar-end';
import type { CalendarPointer } from '../core/domain/calendar';
import type { Job } from '../core/domain/job';
import { outdatedCalendars } from '../core/domain/replan';
import { type ReplanCalendarDeps, replanCalendar } from '../core/job-writes/replan-calendar';
import { replanJob } from '../core/job-writes/replan-job';

/**
 * Tells of calendars that end, and works off changes of calendars that no request has finished. The pointers
 * of a user come before the jobs of that user. So a change under way is continued first. Then each job of an
 * earlier version is replanned, whatever left it so. What a pass forgets between two invocations is left to
 * the next pass.
 */
export function calendarAudit(deps: ReplanCalendarDeps, hasTime: () => boolean) {
  let userId: string | undefined;
  const changedAtMs = new Map<string, number>();
  return {
    /** Whether nothing of the change is left. */
    async pointer(pointer: CalendarPointer): Promise<boolean> {
      if (pointer.userId !== userId) changedAtMs.clear();
      userId = pointer.userId;
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
      if (job.userId !== userId || !job.calendars) return false;
      if (outdatedCalendars(job, (id) => changedAtMs.get(id)).length === 0) return false;
      const current = await deps.jobs.get(job);
      return current !== undefined && (await replanJob(current, deps)) !== undefined;
    },
  };
}
