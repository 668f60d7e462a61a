import type { Quarterjack } from '../quarterjack';
import type { JobDefinition } from '../types';
import type { JobRuns } from './job-runs';
import type { StandardSchema } from '../worker/standard-schema';

export type LogLevel = 'info' | 'warn' | 'error';

/** What a job's `run` gets. */
export interface JobContext<Payload = unknown> {
  payload: Payload;
  jobId: string;
  execId: string;
  dueAt: Date;
  /** The key of the run, if a program or user has given it one. */
  key: string | undefined;
  /** Counts from 1. A retry that a user asks for starts again at 1. */
  attempt: number;
  /** Rises with each attempt: a write with a lower one than the last is late. */
  fence: number;
  /** Aborts when the work has to stop: its reason is a `StoppedError`, or says that the caller is gone. */
  signal: AbortSignal;
  /**
   * In a worker, and with `observe` of the target, the lines go to the log of the attempt. Elsewhere, they go
   * to the console of the process.
   */
  log: Record<LogLevel, (text: string) => void>;
  /**
   * Says how far the work is, from 0 to 1, and what is done now. Never waits. It is shown where the log of
   * the attempt is, and dropped elsewhere. Throws an `ArgumentError` for another value.
   */
  progress(value: number, text?: string): void;
  /** A client whose requests pass on how many deliveries led to this one. It is made when it is asked for. */
  readonly quarterjack: Quarterjack;
}

/** Fields of a job that are not in code: deploying says what is called. */
export type Deployed = 'target' | 'targets' | 'workflow';

/** A job in code. */
export interface DefinedJob<Payload = unknown, Result = unknown, Input = Payload> extends JobRuns<
  Input,
  Result
> {
  readonly id: string;
  readonly paused: boolean | undefined;
  /** The body of `PUT /v1/jobs/{jobId}`, but for what is called. */
  readonly definition: Omit<JobDefinition, Deployed | 'jobId'>;
  readonly timeoutMs: number;
  readonly schema: StandardSchema<Payload> | undefined;
  readonly migrate: ((payload: unknown) => unknown) | undefined;
  run(context: JobContext<Payload>): Result | Promise<Result>;
}
