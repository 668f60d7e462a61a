import {
  answered,
  answeredWithEtag,
  changeHeaders,
  type Connection,
  createHeaders,
  REPEATABLE_HEADERS,
} from './connection';
import { problemOf } from './errors';
import { Listing } from './listing';
import type { CallOptions, ChangeOptions, CreateOptions } from './options';
import { TRIES } from './retrying-fetch';
import type {
  BatchOutcome,
  Execution,
  Job,
  JobChanges,
  JobDefinition,
  JobFilter,
  JobWithEtag,
  UpcomingTimes,
} from './types';

/** The calls under `/v1/jobs`. All of them throw the errors of `errors.ts`. */
export class Jobs {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Without a `jobId`, one is made. A `ConflictError` where the id is taken. */
  create(job: JobDefinition, options: CreateOptions = {}): Promise<JobWithEtag> {
    const { signal } = options;
    const call = this.api.POST('/v1/jobs', { body: job, headers: createHeaders(options), signal });
    return answeredWithEtag(call);
  }

  /** Up to 100 at once, each with an outcome of its own. */
  async createBatch(jobs: JobDefinition[], options: CreateOptions = {}): Promise<BatchOutcome[]> {
    const { signal } = options;
    const call = this.api.POST('/v1/jobs/batch', { body: { jobs }, headers: createHeaders(options), signal });
    return (await answered(call)).outcomes;
  }

  /** Creates or replaces; equal to what is stored, it changes nothing. */
  put(jobId: string, job: JobDefinition, options: ChangeOptions = {}): Promise<JobWithEtag> {
    return answeredWithEtag(
      this.api.PUT('/v1/jobs/{jobId}', {
        params: { path: { jobId } },
        body: job,
        headers: changeHeaders(options),
        signal: options.signal,
      }),
    );
  }

  get(jobId: string, { signal }: CallOptions = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    return answeredWithEtag(
      this.api.GET('/v1/jobs/{jobId}', { params, headers: REPEATABLE_HEADERS, signal }),
    );
  }

  /** By jobId. `limit` is that of one page. */
  list(filter: JobFilter = {}, { signal }: CallOptions = {}): Listing<Job> {
    return new Listing((cursor) =>
      answered(
        this.api.GET('/v1/jobs', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
      ),
    );
  }

  /** By JSON merge patch: what is left out stays, null removes. */
  patch(jobId: string, changes: JobChanges, options: ChangeOptions = {}): Promise<JobWithEtag> {
    return answeredWithEtag(
      this.api.PATCH('/v1/jobs/{jobId}', {
        params: { path: { jobId } },
        body: changes,
        headers: changeHeaders(options),
        signal: options.signal,
      }),
    );
  }

  /** Its history stays readable until its retention ends. */
  async delete(jobId: string, options: ChangeOptions = {}): Promise<void> {
    const { error, response } = await this.api.DELETE('/v1/jobs/{jobId}', {
      params: { path: { jobId } },
      headers: changeHeaders(options),
      signal: options.signal,
    });
    // Gone at a repeat: an earlier try of this very call took it away, and its answer was lost.
    if (response.ok || (response.status === 404 && response.headers.has(TRIES))) return;
    throw problemOf(response.status, error);
  }

  pause(jobId: string, { signal }: CallOptions = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    return answeredWithEtag(
      this.api.POST('/v1/jobs/{jobId}/pause', { params, headers: REPEATABLE_HEADERS, signal }),
    );
  }

  resume(jobId: string, { signal }: CallOptions = {}): Promise<JobWithEtag> {
    const params = { path: { jobId } };
    return answeredWithEtag(
      this.api.POST('/v1/jobs/{jobId}/resume', { params, headers: REPEATABLE_HEADERS, signal }),
    );
  }

  /** Once, now; the schedule stays as it is. A `payload` stands in for the job's own. */
  run(jobId: string, body: { payload?: unknown } = {}, options: CreateOptions = {}): Promise<Execution> {
    return answered(
      this.api.POST('/v1/jobs/{jobId}/run', {
        params: { path: { jobId } },
        body,
        headers: createHeaders(options),
        signal: options.signal,
      }),
    );
  }

  /** The next due times; none while the job is paused. */
  async upcoming(jobId: string, count?: number, { signal }: CallOptions = {}): Promise<UpcomingTimes> {
    const params = { path: { jobId }, query: { count } };
    const call = this.api.GET('/v1/jobs/{jobId}/upcoming', { params, headers: REPEATABLE_HEADERS, signal });
    return (await answered(call)).times;
  }
}
