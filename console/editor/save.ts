import { ConflictError, type JobDefinition, type JobWithEtag } from '../../client/browser';
import { call } from '../api/client';
import { refresh } from '../api/polling';
import { definitionOf } from './definition';

/** The job was changed since it was read. */
export interface EditConflict {
  base: JobDefinition;
  mine: JobDefinition;
  theirs: JobWithEtag;
}

/** What came of a save: the job as it is now, or the change that came first. */
export type SaveOutcome = { job: JobWithEtag; conflict?: undefined } | { conflict: EditConflict };

/**
 * Replaces the definition of a job, if it is still the one that was read. Otherwise nothing is written, and
 * the result says what both sides changed.
 */
export async function saveDefinition(
  read: JobWithEtag,
  mine: JobDefinition,
  note?: string,
): Promise<SaveOutcome> {
  let job: JobWithEtag;
  try {
    job = await call((api) => api.jobs.put(read.jobId, mine, { ifMatch: read.etag, note }));
  } catch (thrown) {
    if (!(thrown instanceof ConflictError && thrown.status === 412)) throw thrown;
    const theirs = await call((api) => api.jobs.get(read.jobId));
    return { conflict: { base: definitionOf(read), mine, theirs } };
  }
  await Promise.all([refresh('job'), refresh('changes'), refresh('upcoming'), refresh('jobs')]);
  return { job };
}
