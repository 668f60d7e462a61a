import type { JobStore } from '../../job-store';
import type { TableAccess } from '../access';
import { clearAwaited, setAwaited } from './awaited';
import { createJob } from './write-jobs';
import { listJobs } from './list-jobs';
import { readJob, readManyJobs } from './read-jobs';
import { removeJob } from './remove-job';
import { replaceJob } from './replace-job';
import { cursorAt, scanJobs } from './scan-jobs';

/** The jobs of the Jobs table: one file here per access pattern. */
export const dynamoJobStore = (access: TableAccess): JobStore => ({
  create: (job, options) => createJob(access, job, options),
  replace: (job, seenEtag, options) => replaceJob(access, job, seenEtag, options),
  remove: (ref, seenEtag, options) => removeJob(access, ref, seenEtag, options),
  get: (ref) => readJob(access, ref),
  getMany: (jobKeys, options) => readManyJobs(access, jobKeys, options),
  list: (userId, page) => listJobs(access, userId, page),
  setAwaited: (ref, atMs) => setAwaited(access, ref, atMs),
  clearAwaited: (ref, seenMs) => clearAwaited(access, ref, seenMs),
  scan: (page) => scanJobs(access, page),
  cursorAt,
});
