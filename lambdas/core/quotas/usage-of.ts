import { HOUR_MS } from '../clock/clock';
import type { Job } from '../domain/job';
import { NO_USAGE, type Usage } from './usage';
import { runsThrough, scheduleOf } from '../domain/entry-planning';
import type { Schedule } from '../schedule/schedule';

/** As many as one a second. */
const MOST_AN_HOUR = 3_600;

/**
 * What a job takes of its user's quotas, by its definition and the clock alone. One without an occurrence left takes
 * nothing: its row is history. Throws `ScheduleError` where its schedule cannot be read.
 */
export function usageOf(job: Job, nowMs: number, schedule: Schedule = scheduleOf(job)): Usage {
  const left = schedule.maxRuns === undefined || runsThrough(job, schedule, nowMs) < schedule.maxRuns;
  const nextMs = left ? schedule.next(nowMs) : undefined;
  if (nextMs === undefined) return NO_USAGE;
  const fires = job.status === 'active';
  return {
    jobs: 1,
    firesPerHour: fires ? schedule.count(nextMs - 1, nextMs + HOUR_MS - 1, MOST_AN_HOUR) : 0,
    payloadBytes: job.payload === undefined ? 0 : Buffer.byteLength(JSON.stringify(job.payload)),
  };
}
