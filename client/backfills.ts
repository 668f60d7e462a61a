import { bodyOf, type Connection, createHeaders, REPEATABLE_HEADERS } from './connection';
import { Listing } from './listing';
import type { CallOptions, CreateOptions } from './options';
import { sleep } from './sleep';
import { type WaitOptions, WaitTimeoutError } from './executions';
import type { Backfill, BackfillFilter, BackfillPlan, BackfillRequest } from './types';

/**
 * Runs of a job for the due times of a range. Each is a run with an `execId`: `runs.pause`, `runs.resume`,
 * `executions.cancel` and `executions.retry` take it.
 */
export class Backfills {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Runs a job once for each due time of its schedule from `from` to before `to`. */
  start(jobId: string, backfill: BackfillRequest, options: CreateOptions = {}): Promise<Backfill> {
    const call = this.post(jobId, { ...backfill, dryRun: false }, options);
    return bodyOf(call, { execId: 'text', status: 'text' } as never) as Promise<Backfill>;
  }

  /** What the same request would do, and what it would cost. Writes nothing. */
  dryRun(jobId: string, backfill: BackfillRequest, { signal }: CallOptions = {}): Promise<BackfillPlan> {
    return bodyOf(this.post(jobId, { ...backfill, dryRun: true }, { signal }), {
      count: 'number',
      estimate: 'object',
    }) as Promise<BackfillPlan>;
  }

  private post(
    jobId: string,
    body: BackfillRequest & { dryRun: boolean },
    { signal, ...options }: CreateOptions,
  ) {
    return this.api.POST('/v1/jobs/{jobId}/backfills', {
      params: { path: { jobId } },
      body,
      headers: createHeaders(options),
      signal,
    });
  }

  /** Those of all jobs, newest first. */
  listAll(filter: BackfillFilter = {}, { signal }: CallOptions = {}): Listing<Backfill> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/backfills', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['jobId', 'execId'] },
      ),
    );
  }

  /** Those of a job, newest first. */
  list(jobId: string, filter: BackfillFilter = {}, { signal }: CallOptions = {}): Listing<Backfill> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/backfills', {
          params: { path: { jobId }, query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['jobId', 'execId'] },
      ),
    );
  }

  get(jobId: string, execId: string, { signal }: CallOptions = {}): Promise<Backfill> {
    const call = this.api.GET('/v1/jobs/{jobId}/backfills/{execId}', {
      params: { path: { jobId, execId } },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    return bodyOf(call, { execId: 'text', status: 'text' });
  }

  /**
   * Polls until the backfill has ended. `onProgress` gets what each poll has found. Throws a
   * `WaitTimeoutError` if it takes longer than `timeoutMs`.
   */
  async wait(
    jobId: string,
    execId: string,
    { onProgress, ...options }: WaitOptions & { onProgress?: (backfill: Backfill) => void } = {},
  ): Promise<Backfill> {
    const { timeoutMs = Infinity, intervalMs = 1_000, signal } = options;
    const startedMs = performance.now();
    for (;;) {
      const backfill = await this.get(jobId, execId, { signal });
      onProgress?.(backfill);
      if (backfill.finishedAt !== null) return backfill;
      if (performance.now() - startedMs + intervalMs > timeoutMs)
        throw new WaitTimeoutError(`${jobId}/${execId} is ${backfill.status} after ${timeoutMs} ms`);
      await sleep(intervalMs, signal);
    }
  }
}
