import type { RetryOptions, RetrySurroundings } from './retrying-fetch';

export interface ConnectionOptions {
  /** Of the API, without `/v1`: `https://abc.execute-api.eu-central-1.amazonaws.com`. */
  url: string;
  /** A JWT, or what gives one: asked before each request, so that it can renew what has expired. */
  token?: string | (() => string | Promise<string>);
  /** What is left out is as in `DEFAULT_RETRY`. */
  retry?: Partial<RetryOptions>;
  /** For tests, proxies and the like. */
  surroundings?: Partial<RetrySurroundings>;
}

/** Of any call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** Of a call that makes something. */
export interface CreateOptions extends CallOptions {
  /**
   * The same key and body give the same answer again. One is made for each call, so that its repeats make nothing twice;
   * give your own where your process may die and ask again.
   */
  idempotencyKey?: string;
}

/** Of a call that changes a job. */
export interface ChangeOptions extends CallOptions {
  /** `job.etag`: refused with a `ConflictError` where the job has changed since. */
  ifMatch?: string;
}
