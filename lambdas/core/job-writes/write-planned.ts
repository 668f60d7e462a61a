import type { StageDeps } from '../deps';
import { dispatchFirst } from '../dispatch/dispatch-ahead';
import { jobKeyOf } from '../contracts/tables';
import type { Entry, OccurrenceEntry } from '../domain/entry';
import { entryAfter } from '../domain/entry-planning';
import type { Job } from '../domain/job';
import type { KeptState } from '../domain/job-state';
import { runsThrough } from '../domain/planned-times';
import { shardOf } from '../domain/shard';
import type { Schedule } from '../schedule/schedule';
import type { WriteOptions } from '../store/write-options';
import { withinDeadline, type WriteDeadline } from '../store/write-deadline';
import { keepState } from './keep-state';
import { recordPausedRange } from './record-paused-range';

/** How the system changes what a job plans. */
export interface PlannedWrite extends WriteDeadline {
  job: Job;
  schedule: Schedule;
  shardCount: number;
  /** The new state plans what is due after this, which may be past. */
  afterMs: number;
  /** What was due through this in a pause is recorded as skipped. */
  pausedUntilMs: number;
  /** How the state before ended. */
  end?: Pick<KeptState, 'plannedUntilMs'>;
  /** Entries that are written beside that of the first due time. */
  others?: readonly Entry[];
}

/**
 * Writes a state that the system has made of a job. No quota refuses it.
 *
 * Order of writes: the record of a pause → the state before → the entries → the job (conditional) → dispatch
 * ahead. What was dispatched before has a row already, and is not run again. Throws if a store or queue
 * fails.
 */
export async function writePlanned(
  current: Job,
  write: PlannedWrite,
  deps: StageDeps,
): ReturnType<StageDeps['jobs']['replace']> {
  const { job, others = [] } = write;
  await recordPausedRange(current, write.pausedUntilMs, deps);
  await keepState(current, write, deps, write.end);
  const first = job.status === 'active' ? firstOf(write) : undefined;
  const entries = [...(first ? [first] : []), ...others];
  if (entries.length > 0) await deps.schedule.putEntries(entries, write.leftMs());
  const replace = (options: WriteOptions) => deps.jobs.replace(job, current.etag, options);
  const written = await withinDeadline(write, replace, deps);
  if (written.outcome === 'replaced' && first) await dispatchFirst(first, job, deps);
  return written;
}

const firstOf = ({ job, schedule, afterMs, nowMs, shardCount }: PlannedWrite): OccurrenceEntry | undefined =>
  entryAfter(job, schedule, {
    afterMs,
    runsBefore: runsThrough(job, schedule, afterMs),
    shard: shardOf(jobKeyOf(job), shardCount),
    nowMs,
  });
