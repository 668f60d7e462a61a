/** `quarterjack/worker`: what runs the executions of a work queue. It needs nothing but web APIs. */
export * from '../errors';
export { FatalError, ReleaseError, RetryAfter, StoppedError } from './errors';
export type { WorkerEvent, WorkOutcome } from './events';
export type { LeaseRules, StopReason } from './lease-rules';
export type { LogStream } from './log-buffer';
export { elapsedMs, isPast, later, type Moment } from './moment';
export type { WorkContext } from './run-work';
export type { StandardSchema } from './standard-schema';
export type { WorkerSurroundings } from './surroundings';
export { Worker, type WorkerOptions } from './worker';
export type { Work } from '../types';
