import {
  bodyOf,
  type Connection,
  noteHeaders,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
} from './connection';
import { ArgumentError, QuarterjackError } from './errors';
import { TERMINAL_STATUSES } from './execution-statuses';
import { Listing } from './listing';
import type { CallOptions, NoteOptions } from './options';
import { sleep } from './sleep';
import type {
  Execution,
  ExecutionFilter,
  ExecutionsOfJobs,
  ExecutionsOfJobsFilter,
  ExecutionStatus,
  LogFilter,
  LogPage,
  RetryRequest,
  Stats,
  StatsFilter,
} from './types';

const TERMINAL: ReadonlySet<ExecutionStatus> = new Set(TERMINAL_STATUSES);

export interface WaitOptions extends CallOptions {
  /** Default: no limit. */
  timeoutMs?: number | undefined;
  /** Time between two polls. Default 500. */
  intervalMs?: number | undefined;
}

/** The execution had not ended within the time that `wait` was given. */
export class WaitTimeoutError extends QuarterjackError {
  override name = 'WaitTimeoutError';
}

/** True if the execution has ended. No further attempt follows, unless a user retries it. */
export function isTerminal(execution: Pick<Execution, 'status'>): boolean {
  const given = execution as Pick<Execution, 'status'> | null | undefined;
  if (typeof given !== 'object' || given === null)
    throw new ArgumentError('execution', given, 'an execution');
  return TERMINAL.has(given.status);
}

/** The calls under `/v1/jobs/{jobId}/executions`. */
export class Executions {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Newest first, unless `order` is `asc`. `limit` is the size of one page. */
  list(jobId: string, filter: ExecutionFilter = {}, { signal }: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/executions', {
          params: { path: { jobId }, query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['execId', 'status'] },
      ),
    );
  }

  /**
   * Lines of its log, in order. While an attempt works there always is a `nextCursor`, also after an empty
   * page: pass it as `after` to go on.
   */
  log(jobId: string, execId: string, filter: LogFilter = {}, { signal }: CallOptions = {}): Promise<LogPage> {
    const params = { path: { jobId, execId }, query: filter };
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}/log', {
        params,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { items: ['at'] },
    );
  }

  /**
   * The executions of up to 500 jobs that pass the filter, newest first: all pages. Without `from` and `to`:
   * those of the last day.
   */
  listOfJobs(filter: ExecutionsOfJobsFilter = {}, options: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) => this.pageOfJobs({ ...filter, cursor }, options));
  }

  /** One page of the same, and whether executions may be missing from the list. */
  pageOfJobs(
    query: ExecutionsOfJobsFilter & { cursor?: string | undefined } = {},
    { signal }: CallOptions = {},
  ): Promise<ExecutionsOfJobs> {
    const call = this.api.GET('/v1/executions', { params: { query }, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { items: ['jobId', 'execId', 'status'] });
  }

  /** How executions ended, by the hour or the day in which they were due. It needs the journal of ends. */
  stats(query: StatsFilter = {}, { signal }: CallOptions = {}): Promise<Stats> {
    const call = this.api.GET('/v1/stats', { params: { query }, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { buckets: ['from'] });
  }

  get(jobId: string, execId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const params = { path: { jobId, execId } };
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}', { params, headers: REPEATABLE_HEADERS, signal }),
      { execId: 'text', status: 'text' },
    );
  }

  /** Looks up to 100 executions up. Those that do not exist are null; the others keep their places. */
  async lookup(
    executions: readonly Pick<Execution, 'jobId' | 'execId'>[],
    { signal }: CallOptions = {},
  ): Promise<(Execution | null)[]> {
    const body = { executions: executions.map(({ jobId, execId }) => ({ jobId, execId })) };
    const call = this.api.POST('/v1/executions/lookup', { body, headers: REPEATABLE_HEADERS, signal });
    return (await bodyOf(call, { executions: ['jobId', 'execId', null] })).executions;
  }

  /**
   * Polls until the execution has ended. Throws a `WaitTimeoutError` if that takes longer than `timeoutMs`.
   */
  async wait(jobId: string, execId: string, options: WaitOptions = {}): Promise<Execution> {
    const { timeoutMs = Infinity, intervalMs = 500, signal } = options;
    const startedMs = performance.now();
    for (;;) {
      const execution = await this.get(jobId, execId, { signal });
      if (isTerminal(execution)) return execution;
      if (performance.now() - startedMs + intervalMs > timeoutMs)
        throw new WaitTimeoutError(`${jobId}/${execId} is ${execution.status} after ${timeoutMs} ms`);
      await sleep(intervalMs, signal);
    }
  }

  /**
   * Cancels an execution that is waiting or running. The finally tasks of a run still run, unless `force` is
   * true.
   */
  cancel(
    jobId: string,
    execId: string,
    { force, ...options }: { force?: boolean | undefined } & NoteOptions = {},
  ): Promise<Execution> {
    const params = { path: { jobId, execId } };
    return bodyOf(
      this.api.POST('/v1/jobs/{jobId}/executions/{execId}/cancel', {
        params,
        ...(force && { body: { force } }),
        headers: repeatableChangeHeaders(options),
        signal: options.signal,
      }),
      { execId: 'text', status: 'text' },
    );
  }

  /**
   * Runs a failed, cancelled or skipped execution again. With `payload`, its targets get that one. For a run,
   * `mode` says which of its tasks run again. The client does not retry this call if the response is lost:
   * the execution may already be running.
   */
  retry(
    jobId: string,
    execId: string,
    { note, signal, ...body }: RetryRequest & NoteOptions = {},
  ): Promise<Execution> {
    const params = { path: { jobId, execId } };
    const headers = noteHeaders({ note });
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/retry', {
      params,
      body,
      headers,
      signal,
    });
    return bodyOf(call, { execId: 'text', status: 'text' });
  }
}
