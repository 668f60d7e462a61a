import {
  bodyOf,
  changeHeaders,
  type Connection,
  jobOf,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
  resultOf,
} from './connection';
import { Listing } from './listing';
import type { CallOptions, ChangeOptions, NoteOptions } from './options';
import { checkDeleted } from './response-body';
import type { ChangeRecord, JobWithEtag } from './types';

/** Which of several jobs that have had one jobId. */
export interface WhichJob {
  /** `createdAt` of a change of that job. Default: the newest job. */
  createdAt?: string | undefined;
}

/** The calls under `/v1/jobs/{jobId}/changes`. All of them throw the errors in `errors.ts`. */
export class Changes {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Newest first. `limit` is the size of one page. */
  list(jobId: string, query: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<ChangeRecord> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/changes', {
          params: { path: { jobId }, query: { ...query, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['what', 'at'] },
      ),
    );
  }

  get(
    jobId: string,
    number: number,
    { signal, createdAt }: CallOptions & WhichJob = {},
  ): Promise<ChangeRecord> {
    const params = { path: { jobId, number }, query: { createdAt } };
    const call = this.api.GET('/v1/jobs/{jobId}/changes/{number}', {
      params,
      headers: REPEATABLE_HEADERS,
      signal,
    });
    return bodyOf(call, { what: 'text' });
  }

  /** The job gets the definition that it had after the change. A deleted job is created again. */
  restore(jobId: string, number: number, options: ChangeOptions & WhichJob = {}): Promise<JobWithEtag> {
    const { createdAt, signal } = options;
    return jobOf(
      this.api.POST('/v1/jobs/{jobId}/changes/{number}/restore', {
        params: { path: { jobId, number }, query: { createdAt } },
        headers: changeHeaders(options),
        signal,
      }),
    );
  }

  /** Deletes the definition of a change for good. The change stays in the list. */
  async delete(jobId: string, number: number, options: NoteOptions & WhichJob = {}): Promise<void> {
    const { createdAt, signal } = options;
    const call = this.api.DELETE('/v1/jobs/{jobId}/changes/{number}', {
      params: { path: { jobId, number }, query: { createdAt } },
      headers: repeatableChangeHeaders(options),
      signal,
    });
    checkDeleted(await resultOf(call));
  }
}
