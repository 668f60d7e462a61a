import { ArgumentError } from '../errors';
import { type Progress, progressOf } from '../worker/progress';
import type { DefinedJob, LogLevel } from './defined-job';
import { type FollowUp, recordingApi } from './recorded-runs';
import { jobsIn, runJob } from './run-job';

export interface TestOptions {
  /** Default: the payload that the job has itself. */
  payload?: unknown;
  /** When the job is due, and runs. Default: now. `Date` itself keeps the time of the machine. */
  now?: Date | string | undefined;
  /** The key of the run. */
  key?: string | undefined;
  /** How many attempts there may be. Default 1. */
  attempts?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** How a job has ended, and what it did. */
export interface Tested<Result> {
  result?: Result;
  /** What its last attempt threw. */
  error?: unknown;
  /** When each attempt was made: after a `RetryAfter`, that much later. */
  attempts: { at: Date; error?: unknown }[];
  log: { level: LogLevel; text: string }[];
  /** What it has said of its progress, in all attempts. */
  progress: Progress[];
  /** The runs that it has asked for by `schedule` and `trigger`, without those that it has cancelled. */
  followUps: FollowUp[];
}

/**
 * Runs a job in this process, without a server: as an attempt does, and again if it may be retried. Throws an
 * `ArgumentError`.
 */
export async function testJob<Result>(
  job: DefinedJob<unknown, Result>,
  { payload = job.definition.payload ?? {}, now = new Date(), attempts = 1, key, signal }: TestOptions = {},
): Promise<Tested<Result>> {
  const jobs = jobsIn([job]);
  const dueAt = new Date(now);
  if (!Number.isFinite(dueAt.getTime())) throw new ArgumentError('now', now, 'a time');
  if (!Number.isSafeInteger(attempts) || attempts < 1)
    throw new ArgumentError('attempts', attempts, 'a whole number from 1 on');
  const tested: Tested<Result> = { attempts: [], log: [], progress: [], followUps: [] };
  const line = (level: LogLevel) => (text: string) => void tested.log.push({ level, text });
  const log = { info: line('info'), warn: line('warn'), error: line('error') };
  let at = dueAt;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const api = recordingApi(tested.followUps, () => at);
    const ids = { jobId: job.id, execId: dueAt.toISOString(), dueAt, key, attempt, fence: attempt };
    const progress = (value: number, text?: string) => void tested.progress.push(progressOf(value, text));
    const sent = { ...ids, payload, log, progress, api };
    const ended = await runJob(jobs, { ...sent, signal: signal ?? new AbortController().signal }, {});
    if (ended.outcome === 'done') {
      const { error: _, ...rest } = tested;
      return { ...rest, attempts: [...tested.attempts, { at }], result: ended.value as Result };
    }
    tested.attempts.push({ at, error: ended.error });
    tested.error = ended.error;
    if (ended.outcome === 'fatal') break;
    at = new Date(at.getTime() + (ended.afterMs ?? 0));
  }
  return tested;
}
