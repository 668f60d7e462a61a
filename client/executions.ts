import { setTimeout as sleep } from 'node:timers/promises';

import { answered, type Connection, REPEATABLE_HEADERS } from './connection';
import { QuarterjackError } from './errors';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { Execution, ExecutionFilter, ExecutionStatus } from './types';

const TERMINAL: ReadonlySet<ExecutionStatus> = new Set(['succeeded', 'failed', 'cancelled', 'skipped']);

export interface WaitOptions extends CallOptions {
  /** Default: for as long as it takes. */
  timeoutMs?: number;
  /** Between two looks. Default 500. */
  intervalMs?: number;
}

/** The execution had not ended when the time to wait for it was over. */
export class WaitTimeoutError extends QuarterjackError {
  override name = 'WaitTimeoutError';
}

/** No further attempt follows, unless a user asks for one. */
export const isTerminal = ({ status }: Pick<Execution, 'status'>): boolean => TERMINAL.has(status);

/** The calls under `/v1/jobs/{jobId}/executions`. */
export class Executions {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Newest first, unless `order` is `asc`. `limit` is that of one page. */
  list(jobId: string, filter: ExecutionFilter = {}, { signal }: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) =>
      answered(
        this.api.GET('/v1/jobs/{jobId}/executions', {
          params: { path: { jobId }, query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
      ),
    );
  }

  get(jobId: string, execId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const params = { path: { jobId, execId } };
    return answered(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}', { params, headers: REPEATABLE_HEADERS, signal }),
    );
  }

  /** Looks until the execution has ended. Throws a `WaitTimeoutError`. */
  async wait(jobId: string, execId: string, options: WaitOptions = {}): Promise<Execution> {
    const { timeoutMs = Infinity, intervalMs = 500, signal } = options;
    const startedMs = performance.now();
    for (;;) {
      const execution = await this.get(jobId, execId, { signal });
      if (isTerminal(execution)) return execution;
      if (performance.now() - startedMs + intervalMs > timeoutMs)
        throw new WaitTimeoutError(`${jobId}/${execId} is ${execution.status} after ${timeoutMs} ms`);
      await sleep(intervalMs, undefined, { signal });
    }
  }

  /** Stops waiting or running. */
  cancel(jobId: string, execId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const params = { path: { jobId, execId } };
    return answered(
      this.api.POST('/v1/jobs/{jobId}/executions/{execId}/cancel', {
        params,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
    );
  }

  /** Runs a failed, cancelled or skipped one again. Not repeated after an answer that was lost: it may be running. */
  retry(jobId: string, execId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const params = { path: { jobId, execId } };
    return answered(this.api.POST('/v1/jobs/{jobId}/executions/{execId}/retry', { params, signal }));
  }
}
