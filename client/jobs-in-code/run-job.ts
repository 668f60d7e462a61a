import { QuarterjackError } from '../errors';
import { FatalError, RetryAfter, StoppedError } from '../worker/errors';
import { durationMs } from '../worker/duration';
import { checkedPayload } from '../worker/standard-schema';
import type { Quarterjack } from '../quarterjack';
import { type Cause, clientWith, type RunCalls, within } from './connections';
import type { DefinedJob, JobContext } from './defined-job';
import type { RunOptions } from './serve-options';

/** How an attempt has ended. */
export type Outcome =
  | { outcome: 'done'; value: unknown }
  | { outcome: 'fatal'; error: unknown }
  | { outcome: 'retry'; error: unknown; afterMs?: number };

/** What a delivery brings. `api` takes the place of the API, for tests. */
export type Sent = Omit<JobContext, 'quarterjack'> & Cause & { api?: RunCalls };

/** A program that is older or newer than the job may be replaced soon. */
const UNKNOWN_JOB_DELAY = '60s';

/** The jobs of a program by their ids. */
export type Jobs = ReadonlyMap<string, DefinedJob>;

/** Throws a `QuarterjackError` for two jobs of one id, and for none. */
export function jobsIn(given: Iterable<unknown> | Readonly<Record<string, unknown>>): Jobs {
  const all: unknown[] = Symbol.iterator in given ? [...(given as Iterable<unknown>)] : Object.values(given);
  const jobs = new Map<string, DefinedJob>();
  for (const job of all.filter(isJob)) {
    const known = jobs.get(job.id);
    if (known !== undefined && known !== job) throw new QuarterjackError(`two jobs have the id ${job.id}`);
    jobs.set(job.id, job);
  }
  if (jobs.size === 0)
    throw new QuarterjackError(
      'there is no job: pass what defineJob has made, or the module that exports it',
    );
  return jobs;
}

const isJob = (value: unknown): value is DefinedJob =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<DefinedJob>).id === 'string' &&
  typeof (value as Partial<DefinedJob>).run === 'function' &&
  typeof (value as Partial<DefinedJob>).definition === 'object';

/** Runs the job that the delivery names. Never rejects. */
export async function runJob(
  jobs: Jobs,
  { api, deliveryDepth, traceparent, tracestate, ...sent }: Sent,
  options: RunOptions,
): Promise<Outcome> {
  const { prefix = '', onError } = options;
  const job = sent.jobId.startsWith(prefix) ? jobs.get(sent.jobId.slice(prefix.length)) : undefined;
  if (!job) return failed(unknownJob(sent.jobId, jobs, prefix));
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(new StoppedError('timed-out')), job.timeoutMs);
  const context = contextOf(
    { ...sent, signal: AbortSignal.any([sent.signal, timer.signal]) },
    { deliveryDepth, traceparent, tracestate },
  );
  try {
    context.payload = await fittingPayload(sent.payload, job);
    const run = async () => job.run(context);
    const scope = { api: () => api ?? context.quarterjack, prefix };
    const value = await within(scope, () => (options.wrap ? options.wrap(run, context) : run()));
    return { outcome: 'done', value };
  } catch (error) {
    await notify(onError, error, context);
    return failed(error);
  } finally {
    clearTimeout(timeout);
  }
}

/** A payload that does not fit is migrated, and fits then or is fatal. */
async function fittingPayload(payload: unknown, { schema, migrate }: DefinedJob): Promise<unknown> {
  try {
    return await checkedPayload(payload, schema);
  } catch (error) {
    if (!migrate || !(error instanceof FatalError)) throw error;
    return checkedPayload(await migrate(payload), schema);
  }
}

/** The client is made when it is asked for: most jobs use none, and some have no URL of the API. */
function contextOf(sent: Omit<JobContext, 'quarterjack'>, cause: Cause): JobContext {
  let client: Quarterjack | undefined;
  return Object.defineProperty({ ...sent } as JobContext, 'quarterjack', {
    get: () => (client ??= clientWith(cause)),
  });
}

/** What it throws changes nothing: the error of the job counts. */
async function notify(onError: RunOptions['onError'], error: unknown, context: JobContext): Promise<void> {
  try {
    await onError?.(error, context);
  } catch (own) {
    context.log.error(`onError failed: ${messageOf(own)}`);
  }
}

function failed(error: unknown): Outcome {
  if (error instanceof FatalError) return { outcome: 'fatal', error };
  if (!(error instanceof RetryAfter)) return { outcome: 'retry', error };
  return { outcome: 'retry', error, afterMs: durationMs(error.delay)! };
}

const unknownJob = (jobId: string, jobs: Jobs, prefix: string): RetryAfter => {
  const known = [...jobs.keys()].map((id) => prefix + id).join(', ');
  return new RetryAfter(
    UNKNOWN_JOB_DELAY,
    `unknown-job: ${jobId} is none of this program, which has: ${known}`,
    { reason: 'unknown-job' },
  );
};

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The result as JSON; undefined if there is none. A value that has no JSON is none, and the log says so. */
export function resultText(value: unknown, { log }: Pick<JobContext, 'log'>): string | undefined {
  if (value === undefined) return undefined;
  try {
    return JSON.stringify(value);
  } catch (error) {
    log.warn(`the result has no JSON, and is not kept: ${messageOf(error)}`);
    return undefined;
  }
}

/** Where no log of the attempt can be written: the console of the process. */
export const CONSOLE: JobContext['log'] = {
  // oxlint-disable-next-line no-console -- the log of a job where the platform has no other
  info: (text) => console.info(text),
  // oxlint-disable-next-line no-console -- as above
  warn: (text) => console.warn(text),
  // oxlint-disable-next-line no-console -- as above
  error: (text) => console.error(text),
};
