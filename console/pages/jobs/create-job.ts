import type { JobDefinition } from '../../../client/browser';
import { call } from '../../api/client';
import { paths } from '../../app/address';

/** With its id, or without one. */
export type NewJobBody = JobDefinition & { jobId?: string };

/** Creates a job, and returns the address of its page. */
export async function createJob(job: NewJobBody, idempotencyKey: string): Promise<string> {
  const { jobId } = await call((api) => api.jobs.create(job, { idempotencyKey }));
  return paths.job(jobId);
}

/**
 * Creates a job that is paused, runs it once, and returns the address of that execution. It gets its schedule
 * once it is paused, so nothing else starts it, wherever this ends early.
 */
export async function createAndTest(job: NewJobBody, idempotencyKey: string): Promise<string> {
  const { schedule, jobId: _, ...rest } = job;
  const unplanned = { ...job, schedule: { type: 'none' } } as const;
  const { jobId } = await call((api) => api.jobs.create(unplanned, { idempotencyKey }));
  await call((api) => api.jobs.pause(jobId));
  await call((api) => api.jobs.put(jobId, { ...rest, schedule }));
  const { execId } = await call((api) => api.jobs.run(jobId, {}, { idempotencyKey, note: 'test' }));
  return paths.execution(jobId, execId);
}
