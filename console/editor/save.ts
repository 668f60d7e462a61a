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

/**
 * Replaces the definition of a job, if it is still the one that was read. Otherwise nothing is written, and
 * the result says what both sides changed.
 */
export async function saveDefinition(
  read: JobWithEtag,
  mine: JobDefinition,
  note?: string,
): Promise<EditConflict | undefined> {
  try {
    await call((api) => api.jobs.put(read.jobId, mine, { ifMatch: read.etag, note }));
  } catch (thrown) {
    if (!(thrown instanceof ConflictError && thrown.status === 412)) throw thrown;
    const theirs = await call((api) => api.jobs.get(read.jobId));
    return { base: definitionOf(read), mine, theirs };
  }
  await Promise.all([refresh('job'), refresh('changes'), refresh('upcoming'), refresh('jobs')]);
  return undefined;
}
