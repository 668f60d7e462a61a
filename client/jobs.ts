import {
  bodyOf,
  changeHeaders,
  type Connection,
  createHeaders,
  jobOf,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
  deleted,
} from './connection';
import { Listing, type Page } from './listing';
import type {
  BatchOptions,
  CallOptions,
  ChangeOptions,
  CreateOptions,
  NoteOptions,
  PutOptions,
} from './options';
import type {
  BatchDryRun,
  BatchOutcome,
  CancelledRun,
  Execution,
  Explanation,
  Job,
  JobChanges,
  JobDefinition,
  JobFilter,
  JobStats,
  JobSummary,
  JobSummaryFilter,
  JobWithEtag,
  PingKey,
  RunOutcome,
  RunRequest,
  UpcomingTimes,
} from './types';

/** The calls under `/v1/jobs`. All of them throw the errors in `errors.ts`. */
export class Jobs {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Without a `jobId`, the API generates one. Throws a `ConflictError` if the id is taken. */
  create(job: JobDefinition, options: CreateOptions = {}): Promise<JobWithEtag> {
    const { signal } = options;
    const call = this.api.POST('/v1/jobs', { body: job, headers: createHeaders(options), signal });
    return jobOf(call);
  }

  /** Creates up to 100 jobs. Each has its own outcome: one that fails does not stop the others. */
  async createBatch(jobs: JobDefinition[], options: BatchOptions = {}): Promise<BatchOutcome[]> {
    const { signal, replace } = options;
    const call = this.api.POST('/v1/jobs/batch', {
      params: { query: { replace } },
      body: { jobs },
      headers: createHeaders(options),
      signal,
    });
    return (await bodyOf(call, { outcomes: [] })).outcomes;
  }

  /**
   * The outcomes that `createBatch` would have, and what the jobs would add to the quotas. The quotas are
   * checked for all jobs together, and count the paused ones among `resume` as active. Changes nothing.
   */
  dryRunBatch(
    jobs: JobDefinition[],
    { replace, resume, signal }: Omit<BatchOptions, 'idempotencyKey'> & { resume?: string[] } = {},
  ): Promise<BatchDryRun> {
    const call = this.api.POST('/v1/jobs/batch', {
      params: { query: { replace, dryRun: true } },
      body: { jobs, resume },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    return bodyOf(call, { outcomes: [] });
  }

  /** Creates or replaces the job; an equal definition changes nothing. A paused job stays paused. */
  put(jobId: string, job: JobDefinition, options: PutOptions = {}): Promise<JobWithEtag> {
    return jobOf(
      this.api.PUT('/v1/jobs/{jobId}', {
        params: { path: { jobId }, query: { dryRun: options.dryRun } },
        body: job,
        headers: changeHeaders(options),
        signal: options.signal,
      }),
    );
  }

  get(jobId: string, { signal }: CallOptions = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    return jobOf(this.api.GET('/v1/jobs/{jobId}', { params, headers: REPEATABLE_HEADERS, signal }));
  }

  /** Sorted by jobId. `limit` is the size of one page. */
  list(filter: JobFilter = {}, { signal }: CallOptions = {}): Listing<Job> {
    // Without `fields`, the items are whole jobs.
    return new Listing((cursor) => this.page({ ...filter, cursor }, signal) as Promise<Page<Job>>);
  }

  /** Jobs as summaries, which are small and say how each last went. A page may have 500 of them. */
  summaries(filter: JobSummaryFilter = {}, { signal }: CallOptions = {}): Listing<JobSummary> {
    return new Listing((cursor) => this.pageOfSummaries({ ...filter, cursor }, { signal }));
  }

  /** One page of the same. Its `nextCursor` is the `cursor` of the page behind it. */
  pageOfSummaries(
    query: JobSummaryFilter & { cursor?: string | undefined } = {},
    { signal }: CallOptions = {},
  ): Promise<Page<JobSummary>> {
    return this.page({ ...query, fields: 'summary' }, signal) as Promise<Page<JobSummary>>;
  }

  private page(
    query: JobSummaryFilter & { fields?: 'summary'; cursor?: string | undefined },
    signal: AbortSignal | undefined,
  ): Promise<Page<Job> | Page<JobSummary>> {
    const call = this.api.GET('/v1/jobs', { params: { query }, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { items: ['jobId'] });
  }

  /** JSON merge patch: a field that is left out stays as it is, and null removes it. */
  patch(jobId: string, changes: JobChanges, options: ChangeOptions = {}): Promise<JobWithEtag> {
    return jobOf(
      this.api.PATCH('/v1/jobs/{jobId}', {
        params: { path: { jobId } },
        body: changes,
        headers: changeHeaders(options),
        signal: options.signal,
      }),
    );
  }

  /** The job's history stays readable until its retention ends. */
  async delete(jobId: string, options: ChangeOptions = {}): Promise<void> {
    const call = this.api.DELETE('/v1/jobs/{jobId}', {
      params: { path: { jobId } },
      headers: changeHeaders(options),
      signal: options.signal,
    });
    await deleted(call);
  }

  /** Pauses the job. One that is paused gets another `until`, an instant, or none. */
  pause(jobId: string, options: NoteOptions & { until?: string | undefined } = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    const headers = repeatableChangeHeaders(options);
    const { signal, until } = options;
    const call = this.api.POST('/v1/jobs/{jobId}/pause', { params, headers, body: { until }, signal });
    return jobOf(call);
  }

  resume(jobId: string, options: NoteOptions = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    const headers = repeatableChangeHeaders(options);
    const call = this.api.POST('/v1/jobs/{jobId}/resume', { params, headers, signal: options.signal });
    return jobOf(call);
  }

  /** Runs the job once, now or later. The schedule does not change. */
  run(jobId: string, body: RunRequest = {}, options: CreateOptions = {}): Promise<Execution> {
    return bodyOf(
      this.api.POST('/v1/jobs/{jobId}/run', {
        params: { path: { jobId } },
        body,
        headers: createHeaders(options),
        signal: options.signal,
      }),
      { execId: 'text', status: 'text' },
    );
  }

  /** Asks for up to 100 runs. Each has its own outcome: one that is refused does not stop the others. */
  async runMany(jobId: string, runs: RunRequest[], options: CreateOptions = {}): Promise<RunOutcome[]> {
    const call = this.api.POST('/v1/jobs/{jobId}/runs', {
      params: { path: { jobId } },
      body: { runs },
      headers: createHeaders(options),
      signal: options.signal,
    });
    return (await bodyOf(call, { outcomes: [] })).outcomes;
  }

  /** Cancels the run that has a key. */
  cancelRun(jobId: string, key: string, options: NoteOptions = {}): Promise<CancelledRun> {
    const call = this.api.POST('/v1/jobs/{jobId}/runs/cancel', {
      params: { path: { jobId } },
      body: { key },
      headers: repeatableChangeHeaders(options),
      signal: options.signal,
    });
    return bodyOf(call, { outcome: 'text' });
  }

  /** How the job's executions of the last `days` went (1 to 365, default 30), from its newest 2,000 rows. */
  stats(jobId: string, days?: number, { signal }: CallOptions = {}): Promise<JobStats> {
    const params = { path: { jobId }, query: { days } };
    const call = this.api.GET('/v1/jobs/{jobId}/stats', { params, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { jobId: 'text' });
  }

  /**
   * Why the job ran, did not run, or will run at an instant.
   *
   * @param at RFC 3339 with an offset. A whole minute also means the first due time within it. Default: the
   *   last due time.
   */
  explain(jobId: string, at?: string, { signal }: CallOptions = {}): Promise<Explanation> {
    const params = { path: { jobId }, query: { at } };
    const call = this.api.GET('/v1/jobs/{jobId}/explain', { params, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { verdict: 'text', steps: [] });
  }

  /** The URL to which the job of a monitor pings. The URL is a secret. */
  ping(jobId: string, { signal }: CallOptions = {}): Promise<PingKey> {
    const params = { path: { jobId } };
    const call = this.api.GET('/v1/jobs/{jobId}/ping', { params, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { url: 'text' });
  }

  /** Gives a monitor another URL. The one before works for a day; with `now`, it ends at once. */
  rotatePing(jobId: string, options: NoteOptions & { now?: boolean } = {}): Promise<PingKey> {
    const call = this.api.POST('/v1/jobs/{jobId}/ping/rotate', {
      params: { path: { jobId } },
      body: { now: options.now },
      headers: changeHeaders(options),
      signal: options.signal,
    });
    return bodyOf(call, { url: 'text' });
  }

  /** The next due times. Empty while the job is paused. */
  async upcoming(jobId: string, count?: number, { signal }: CallOptions = {}): Promise<UpcomingTimes> {
    const params = { path: { jobId }, query: { count } };
    const call = this.api.GET('/v1/jobs/{jobId}/upcoming', { params, headers: REPEATABLE_HEADERS, signal });
    return (await bodyOf(call, { times: [] })).times;
  }
}
