import type { Clock } from '../clock/clock';
import { type CalendarKey, jobKeyOf } from '../contracts/tables';
import { type CalendarPointer, DECIDES_FOR_MS, isMoving, type UsedCalendar } from '../domain/calendar';
import type { Job } from '../domain/job';
import { asPlannedNow, type CalendarNow, outdatedCalendars } from '../domain/replan';
import { APPLIED_WITHIN_MS } from '../domain/timing';
import { isRetryable } from '../is-retryable';
import type { Calendar } from '../schedule/calendar';
import type { CalendarStore } from './calendar-store';
import type { JobStore } from './job-store';

type Reads = Pick<CalendarStore, 'get' | 'calendarOf'>;

/**
 * Jobs with the content of their calendars, which a row names by version alone. So a schedule is arithmetic
 * on what its job has. A job without calendars costs nothing.
 */
export function withCalendars(jobs: JobStore, calendars: Reads, clock: Pick<Clock, 'nowMs'>): JobStore {
  const resolved = (job: Job) => withContent(job, calendars, clock.nowMs());
  return {
    ...jobs,
    async create(job, options) {
      const answer = await jobs.create(job, options);
      return answer.outcome === 'exists' ? { ...answer, current: await resolved(answer.current) } : answer;
    },
    async replace(job, seenEtag, options) {
      const answer = await jobs.replace(job, seenEtag, options);
      if (answer.outcome === 'replaced' || !answer.current) return answer;
      return { ...answer, current: await resolved(answer.current) };
    },
    async remove(ref, seenEtag, options) {
      const answer = await jobs.remove(ref, seenEtag, options);
      return answer.outcome === 'changed' ? { ...answer, current: await resolved(answer.current) } : answer;
    },
    async get(ref) {
      const job = await jobs.get(ref);
      return job && resolved(job);
    },
    async getMany(jobKeys, options) {
      const read = await jobs.getMany(jobKeys, options);
      const pointers = options.today && (read.pointers ?? new Map<string, CalendarPointer>());
      await Promise.all(
        [...read.jobs].map(async ([jobKey, job]) => {
          if (!job.calendars) return;
          try {
            const known = await resolved(job);
            read.jobs.set(jobKey, pointers ? await planned(known, pointers, calendars, clock) : known);
          } catch (error) {
            read.jobs.delete(jobKey);
            (isRetryable(error) ? read.unread : read.unreadable).add(jobKey);
          }
        }),
      );
      return { jobs: read.jobs, unread: read.unread, unreadable: read.unreadable };
    },
    async list(userId, page) {
      const { jobs: found, ...rest } = await jobs.list(userId, page);
      return { ...rest, jobs: await Promise.all(found.map(resolved)) };
    },
    async scan(page) {
      const slice = await jobs.scan(page);
      return { ...slice, jobs: await Promise.all(slice.jobs.map(resolved)) };
    },
  };
}

/** Versions that decide no more may have expired: they are left out. */
async function withContent(job: Job, calendars: Reads, nowMs: number): Promise<Job> {
  if (!job.calendars) return job;
  const { userId } = job;
  const used = job.calendars.map(async ({ earlier = [], ...one }): Promise<UsedCalendar> => {
    const read = (version: string) => calendars.calendarOf({ userId, calendarId: one.id }, version);
    const before = earlier
      .filter(({ untilMs }) => untilMs > nowMs - DECIDES_FOR_MS)
      .map(async (version) => ({ ...version, calendar: await read(version.version) }));
    return {
      ...one,
      calendar: await read(one.version),
      ...(before.length > 0 && { earlier: await Promise.all(before) }),
    };
  });
  return { ...job, calendars: await Promise.all(used) };
}

/** The job as its calendars plan it now. `pointers`: those that were read with the job. */
async function planned(
  job: Job,
  pointers: ReadonlyMap<string, CalendarPointer>,
  calendars: Reads,
  { nowMs }: Pick<Clock, 'nowMs'>,
): Promise<Job> {
  return asPlannedNow(job, await calendarsNow(job, calendars, { nowMs }, pointers), nowMs());
}

/** Name of a pointer among those that `getMany` returns. It is the key of no job, whose id has no `#`. */
export const pointerName = ({ userId, calendarId }: CalendarKey): string =>
  `${jobKeyOf({ userId, jobId: calendarId })}#`;

/**
 * The calendars of a job as they are now, with the contents that a replan needs. A calendar that was deleted
 * is left out: the job keeps its version.
 *
 * @param known pointers that need not be read, by `pointerName`
 */
export async function calendarsNow(
  job: Job,
  calendars: Reads,
  { nowMs }: Pick<Clock, 'nowMs'>,
  known: ReadonlyMap<string, CalendarPointer> = new Map(),
): Promise<Map<string, CalendarNow>> {
  const { userId } = job;
  const pointers = new Map<string, CalendarPointer>();
  await Promise.all(
    (job.calendars ?? []).map(async ({ id }) => {
      const key = { userId, calendarId: id };
      const pointer = known.get(pointerName(key)) ?? (await calendars.get(key));
      if (pointer) pointers.set(id, pointer);
    }),
  );
  const outdated = outdatedCalendars(job, (id) => pointers.get(id)?.changedAtMs);
  const now = new Map<string, CalendarNow>();
  for (const [id, pointer] of pointers) {
    const contents = new Map<string, Calendar>();
    const versions = outdated.includes(id) ? versionsFor(job, pointer, nowMs()) : [];
    for (const version of versions)
      contents.set(version, await calendars.calendarOf({ userId, calendarId: id }, version));
    now.set(id, { pointer, calendarOf: (version) => contents.get(version)! });
  }
  return now;
}

function versionsFor(job: Job, { version, earlier }: CalendarPointer, nowMs: number): string[] {
  if (!isMoving(job.schedule)) return [version];
  const oldestMs = nowMs - DECIDES_FOR_MS - APPLIED_WITHIN_MS;
  return [version, ...earlier.filter(({ untilMs }) => untilMs > oldestMs).map((one) => one.version)];
}
