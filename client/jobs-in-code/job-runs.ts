import {
  ArgumentError,
  NotFoundError,
  problemOf,
  type ProblemError,
  QuarterjackError,
  ValidationError,
} from '../errors';
import type { WaitOptions } from '../executions';
import type { Listing } from '../listing';
import type { CreateOptions, CallOptions } from '../options';
import type { CancelledRun, Execution, ExecutionFilter, RunRequest } from '../types';
import { checkedPayload, type StandardSchema } from '../worker/standard-schema';
import { currentScope, type RunCalls } from './connections';

/** How a run is asked for, beside its time. */
export interface RunFields extends Pick<
  RunRequest,
  'key' | 'keyTtl' | 'priority' | 'tags' | 'runTags' | 'externalId'
> {
  /** If a run has the key: leave it as it is (default), or give it this time and payload. */
  onExisting?: 'keep' | 'replace';
}

/** When a run is due: `{ in: '30m' }`, or `{ at: '2027-01-01T09:00:00Z' }`. At most 400 days ahead. */
export type When = { in: string; at?: never } | { at: string | Date; in?: never };

/** One of many runs that are asked for together. */
export type RunToSchedule<Payload> = When & RunFields & { payload: Payload };

/** A run that was asked for. */
export interface RunHandle<Result> {
  readonly jobId: string;
  readonly execId: string;
  readonly dueAt: Date;
  readonly key: string | undefined;
  /** False if a run had the key already: this is that one. */
  readonly created: boolean;
  /** Polls until it has ended. Throws a `WaitTimeoutError` if that takes longer than `timeoutMs`. */
  wait(options?: WaitOptions): Promise<EndedRun<Result>>;
}

export interface EndedRun<Result> {
  status: 'succeeded' | 'failed' | 'cancelled' | 'skipped';
  /** What `run` has returned, if its JSON has at most 256 bytes. */
  result?: Result;
  execution: Execution;
}

/** The outcome of one of many runs. */
export type ScheduledRun<Result> =
  | { run: RunHandle<Result>; error?: never }
  | { run?: never; error: ProblemError };

/** What a job in code does with its runs. Within a run, requests pass on the depth of its delivery. */
export interface JobRuns<Input, Result> {
  /** Asks for one run at a later time. */
  schedule(payload: Input, options: When & RunFields & CreateOptions): Promise<RunHandle<Result>>;
  /** Asks for many, in requests of 100. One that is refused does not stop the others. */
  scheduleMany(runs: readonly RunToSchedule<Input>[], options?: CallOptions): Promise<ScheduledRun<Result>[]>;
  /** Starts a run now. Without a payload, it gets that of the job. */
  trigger(payload?: Input, options?: RunFields & CreateOptions): Promise<RunHandle<Result>>;
  /** Cancels the run that has a key. */
  cancel(key: string, options?: CallOptions): Promise<CancelledRun>;
  /** Its runs and planned executions, newest first. */
  list(filter?: ExecutionFilter, options?: CallOptions): Listing<Execution>;
}

const MOST_AT_ONCE = 100;

export function runsOf<Input, Result>(
  id: string,
  schema: StandardSchema<unknown> | undefined,
): JobRuns<Input, Result> {
  const here = () => {
    const { api, prefix } = currentScope();
    return { jobId: prefix + id, api: api() };
  };
  const run = async (
    payload: unknown,
    { idempotencyKey, note, signal, ...asked }: RunRequest & CreateOptions,
  ): Promise<RunHandle<Result>> => {
    const { jobId, api } = here();
    const body = { ...asked, ...(await payloadField(id, payload, schema)) };
    const execution = await known(api.jobs.run(jobId, body, { idempotencyKey, note, signal }));
    return handleOf(execution, api);
  };
  return {
    schedule: async (payload, options) => run(payload, timed(options)),
    trigger: async (payload, options = {}) => run(payload, options),
    async scheduleMany(runs, options = {}) {
      const { jobId, api } = here();
      const bodies = await Promise.all(
        runs.map(async ({ payload, ...when }) => ({
          ...timed(when),
          ...(await payloadField(id, payload, schema)),
        })),
      );
      const made: ScheduledRun<Result>[] = [];
      for (let from = 0; from < bodies.length; from += MOST_AT_ONCE) {
        const some = bodies.slice(from, from + MOST_AT_ONCE);
        const outcomes = await known(api.jobs.runMany(jobId, some, options));
        for (const { status, execution, problem } of outcomes)
          made.push(execution ? { run: handleOf(execution, api) } : { error: problemOf(status, problem) });
      }
      return made;
    },
    async cancel(key, options = {}) {
      const { jobId, api } = here();
      return known(api.jobs.cancelRun(jobId, key, options));
    },
    list(filter = {}, options = {}) {
      const { jobId, api } = here();
      return api.executions.list(jobId, filter, options);
    },
  };
}

/** A server that is older than this package may lack a route or a field that it uses: the error says so. */
async function known<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    const lacks = lackOf(error);
    if (lacks === undefined) throw error;
    throw new QuarterjackError(
      `the server is older than this package: it has no ${lacks}. Update the server, or install a package of its version`,
      { cause: error },
    );
  }
}

function lackOf(error: unknown): string | undefined {
  // No operation has answered: the API says of a job that is not there what kind of problem that is.
  if (error instanceof NotFoundError && error.type === 'about:blank') return 'such route';
  if (!(error instanceof ValidationError)) return undefined;
  const field = error.errors.find(
    ({ path, message }) => KNOWN.includes(path) && message.startsWith('is not a known field'),
  );
  return field && `field ${field.path}`;
}

/** Any other field that the server does not know is a mistake of the caller. */
const KNOWN: readonly string[] =
  'at delay externalId key keyTtl onExisting payload priority runTags tags'.split(' ');

/** The fields of a request for a run, with the time as the API has it. */
function timed<Asked extends When>({ in: delay, at, ...asked }: Asked) {
  if ((delay === undefined) === (at === undefined))
    throw new ArgumentError('options', { in: delay, at }, 'an object with one of in and at');
  return { ...asked, ...(delay === undefined ? { at: timeText(at!) } : { delay }) };
}

function timeText(at: string | Date): string {
  if (typeof at === 'string') return at;
  if (at instanceof Date && Number.isFinite(at.getTime())) return at.toISOString();
  throw new ArgumentError('at', at, 'a text or a valid Date');
}

/** The payload as it was given: the run checks it again, and a schema may not take what it has given. */
async function payloadField(
  id: string,
  payload: unknown,
  schema: StandardSchema<unknown> | undefined,
): Promise<{ payload?: unknown }> {
  if (payload === undefined) return {};
  try {
    await checkedPayload(payload, schema);
  } catch (cause) {
    throw new QuarterjackError(`job ${id}: ${(cause as Error).message}`, { cause });
  }
  return { payload };
}

function handleOf<Result>(
  { jobId, execId, dueAt, key, created }: Execution,
  api: RunCalls,
): RunHandle<Result> {
  return {
    jobId,
    execId,
    dueAt: new Date(dueAt),
    key,
    created: created !== false,
    async wait(options) {
      const execution = await api.executions.wait(jobId, execId, options);
      const status = execution.status as EndedRun<Result>['status'];
      const result = status === 'succeeded' ? resultIn(execution) : undefined;
      return { status, ...(result !== undefined && { result: result as Result }), execution };
    },
  };
}

/** A longer one is kept in part, and is no JSON. */
function resultIn({ result }: Execution): unknown {
  try {
    return JSON.parse(result?.body ?? '') as unknown;
  } catch {
    return undefined;
  }
}
