import { HOUR_MS } from '../clock/clock';
import { scheduleOf } from '../domain/entry-planning';
import type { Job } from '../domain/job';
import { nextPlanned } from '../domain/planned-times';
import { NO_USAGE, type Usage } from './usage';
import type { Schedule } from '../schedule/schedule';
import { isExternal } from '../schedule/spec';

/** One a second. */
const MAX_FIRES_PER_HOUR = 3_600;

/**
 * What a job counts towards its project's quotas, by its definition and the clock alone. A job without a
 * planned occurrence left counts nothing: its row is history. A job that something else starts counts, and
 * plans no fires. A paused job fires 0 times, unless it is to be resumed at a time: no quota is asked then.
 * Throws `ScheduleError` if its schedule cannot be read.
 */
export function usageOf(job: Job, nowMs: number, schedule: Schedule = scheduleOf(job)): Usage {
  const nextMs = nextPlanned(job, schedule, nowMs);
  if (nextMs === undefined && !isExternal(job.schedule)) return NO_USAGE;
  const mayFire = job.status === 'active' || job.resumeAtMs !== undefined;
  const fires = mayFire && nextMs !== undefined;
  return {
    ...NO_USAGE,
    jobs: 1,
    firesPerHour: fires
      ? schedule.count(nextMs - 1, nextMs + HOUR_MS - 1, MAX_FIRES_PER_HOUR) * callsOf(job)
      : 0,
    payloadBytes: bytesOf(job.payload) + bytesOf(job.payloadSchema) + (job.workflow?.bytes ?? 0),
  };
}

const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/** A fire of a workflow counts for itself and for each of its tasks. */
const callsOf = ({ workflow }: Job): number => 1 + (workflow?.tasks ?? 0);
