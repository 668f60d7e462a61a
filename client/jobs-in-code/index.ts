/** `quarterjack/jobs`: jobs in code, and what runs them. It needs nothing but web APIs. */
export { ArgumentError, QuarterjackError } from '../errors';
export { SignatureError } from '../deliveries/delivery';
export { type FenceStore, MemoryFenceStore, StaleFenceError } from '../deliveries/fence-guard';
export { FatalError, ReleaseError, RetryAfter, StoppedError } from '../worker/errors';
export type { StandardSchema } from '../worker/standard-schema';
export { connectJobs, type JobConnection } from './connections';
export { defineJob, type JobOptions } from './define-job';
export type { DefinedJob, JobContext, LogLevel } from './defined-job';
export type { EndedRun, JobRuns, RunHandle, RunFields, RunToSchedule, ScheduledRun, When } from './job-runs';
export { after, at, cron, event, every } from './schedules';
export { type JobWorkerOptions, serve, type Served } from './serve';
export type { ServeOptions } from './serve-options';
export type { FollowUp } from './recorded-runs';
export { testJob, type Tested, type TestOptions } from './test-job';
