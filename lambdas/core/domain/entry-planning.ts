import { MINUTE_MS } from '../clock/clock';
import { jobKeyOf, minuteOf, minuteStartMs } from '../contracts/tables';
import type { OccurrenceEntry } from './entry';
import type { Job } from './job';
import { parseSchedule } from '../schedule/parse';
import type { Schedule } from '../schedule/schedule';

export type JobOfEntry = Pick<
  Job,
  'userId' | 'jobId' | 'schedule' | 'scheduleChangedAtMs' | 'generation' | 'revision'
>;

/** The job's schedule, ready for arithmetic. Throws `ScheduleError` where it never was valid. */
export const scheduleOf = (
  job: Pick<Job, 'userId' | 'jobId' | 'schedule' | 'scheduleChangedAtMs'>,
): Schedule => parseSchedule(job.schedule, { jobKey: jobKeyOf(job), changedAtMs: job.scheduleChangedAtMs });

/**
 * The entry of the first due time later than `afterMs`, together with all others of its bucket; undefined where none
 * is left (by the schedule, or by `maxRuns`). Filed at the last of these times, or at now where that is past.
 * `runsBefore` is the count of planned occurrences before it.
 */
export function entryAfter(
  job: JobOfEntry,
  schedule: Schedule,
  at: { afterMs: number; runsBefore: number; shard: number; nowMs: number },
): OccurrenceEntry | undefined {
  const left = (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - at.runsBefore;
  const dueAtMs = left > 0 ? schedule.next(at.afterMs) : undefined;
  if (dueAtMs === undefined) return undefined;
  const offsetsMs = othersInBucket(schedule, dueAtMs, left).map((otherMs) => otherMs - dueAtMs);
  const throughMs = dueAtMs + (offsetsMs.at(-1) ?? 0);
  return {
    kind: 'occurrence',
    jobKey: jobKeyOf(job),
    shard: at.shard,
    checkAtMs: Math.max(throughMs, at.nowMs),
    generation: job.generation,
    revision: job.revision,
    dueAtMs,
    throughMs,
    ...(offsetsMs.length > 0 && { offsetsMs }),
    runsBefore: at.runsBefore,
  };
}

/** The first entry of a job that was created, changed or resumed at `nowMs`. */
export const firstEntry = (
  job: JobOfEntry,
  schedule: Schedule,
  shard: number,
  nowMs: number,
): OccurrenceEntry | undefined =>
  entryAfter(job, schedule, { afterMs: nowMs, runsBefore: runsThrough(job, schedule, nowMs), shard, nowMs });

/** How many occurrences were planned since the schedule last changed, through `throughMs`: needed by `maxRuns` only. */
export const runsThrough = (job: JobOfEntry, schedule: Schedule, throughMs: number): number =>
  schedule.maxRuns === undefined ? 0 : schedule.count(job.scheduleChangedAtMs, throughMs, schedule.maxRuns);

function othersInBucket(schedule: Schedule, dueAtMs: number, left: number): number[] {
  const bucketEndMs = minuteStartMs(minuteOf(dueAtMs)) + MINUTE_MS;
  const others: number[] = [];
  for (let runs = 1; runs < left; runs++) {
    const next = schedule.next(others.at(-1) ?? dueAtMs);
    if (next === undefined || next >= bucketEndMs) break;
    others.push(next);
  }
  return others;
}

/** How many occurrences are planned through `throughMs`, by an entry that knows how many came before it: for `maxRuns` only. */
export const runsThroughEntry = (entry: OccurrenceEntry, schedule: Schedule, throughMs: number): number =>
  schedule.maxRuns === undefined
    ? 0
    : entry.runsBefore + schedule.count(entry.dueAtMs - 1, throughMs, schedule.maxRuns);
