import type { Random } from '../clock/random';
import type { Author } from './actor';
import { expectingSince } from './expectation';
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

/**
 * The job, paused from now on. One that is paused already is paused anew, with another end.
 *
 * @param resumeAtMs when it is to be resumed; undefined: when a user resumes it
 */
export const jobPausedBy = (
  current: Job,
  author: Author,
  { nowMs, resumeAtMs }: { nowMs: number; resumeAtMs?: number | undefined },
  random: Random,
): Job => ({
  ...withoutPause(changedBy(current, author, nowMs, random)),
  ...newGeneration(current.generation, random),
  lastChange: { what: 'paused' },
  status: 'paused',
  pausedAtMs: nowMs,
  ...(resumeAtMs !== undefined && { resumeAtMs }),
  ...(author.by.via === 'system' && { pausedVia: 'system' }),
});

/**
 * A paused job, active again.
 *
 * @param activeSinceMs what was due through then never fires
 */
export const jobResumedBy = (
  current: Job,
  author: Author,
  { nowMs, activeSinceMs }: { nowMs: number; activeSinceMs: number },
  random: Random,
): Job => ({
  ...withoutPause(changedBy(expectingSince(current, nowMs), author, nowMs, random)),
  ...newGeneration(current.generation, random),
  lastChange: { what: 'resumed' },
  status: 'active',
  activeSinceMs,
});

const withoutPause = ({ pausedAtMs: _, pausedVia: __, resumeAtMs: ___, ...job }: Job): Job => job;
