import type { Random } from '../clock/random';
import type { Author } from './actor';
import type { Job } from './job';

/** Number of a job's create. */
export const FIRST_CHANGE = 1;

/** The job with the marks of a change. Those of the change before go. */
export const changedBy = (
  { note: _, lastChange: __, ...job }: Job,
  { by, note }: Author,
  nowMs: number,
  random: Random,
): Job => ({
  ...job,
  updatedAtMs: nowMs,
  etag: random.id(),
  by,
  changeNumber: job.changeNumber + 1,
  ...(note !== undefined && { note }),
});

export const newGeneration = (last: number, random: Random) => ({
  generation: last + 1,
  revision: random.id(),
  etag: random.id(),
});

/** An active job, paused. */
export const jobPausedBy = (current: Job, author: Author, nowMs: number, random: Random): Job => ({
  ...changedBy(current, author, nowMs, random),
  ...newGeneration(current.generation, random),
  lastChange: { what: 'paused' },
  status: 'paused',
  pausedAtMs: nowMs,
  ...(author.by.via === 'system' && { pausedVia: 'system' }),
});
