import type { RetryOptions, RetrySurroundings } from './retrying-fetch';

export interface ConnectionOptions {
  /** URL of the API, without `/v1`: `https://abc.execute-api.eu-central-1.amazonaws.com`. */
  url: string;
  /** The project to work in, for a token of several projects. Visible ASCII characters. */
  project?: string | undefined;
  /**
   * A JWT, or an API key, or a function that returns one. It is called before each request, so it can renew
   * the token.
   */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Why this client makes its changes: at most 500 characters, kept with each of them. */
  note?: string | undefined;
  /** Fields that are left out have the values of `DEFAULT_RETRY`. */
  retry?: Partial<RetryOptions> | undefined;
  /** Replaces the network, sleeping and randomness: for tests and proxies. */
  surroundings?: Partial<RetrySurroundings> | undefined;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Options of a call that changes something. */
export interface NoteOptions extends CallOptions {
  /** Why: at most 500 characters, kept with the change. Takes the place of the connection's note. */
  note?: string | undefined;
}

/** Options of a call that creates something. */
export interface CreateOptions extends NoteOptions {
  /**
   * A key that comes again with its body gets its response again. The client makes one key for each call, so
   * its retries create nothing twice. Pass your own if your process may crash and repeat the call.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a request by its path. */
export interface RequestOptions extends CreateOptions {
  /** Values of one name are several parameters. */
  query?: Readonly<Record<string, unknown>> | undefined;
  /** What has JSON. */
  body?: unknown;
}

/** Options of a batch. */
export interface BatchOptions extends CreateOptions {
  /** Replace the jobs that exist, as `put` does. Each job then needs its `jobId`. */
  replace?: boolean | undefined;
}

/** Options of `put`. */
export interface PutOptions extends ChangeOptions {
  /** Check the request, and change nothing. The result is the job as it would be. */
  dryRun?: boolean | undefined;
}

/** Options of a call that changes a job. */
export interface ChangeOptions extends NoteOptions {
  /** `job.etag`: the call throws a `ConflictError` if the job has changed since. */
  ifMatch?: string | undefined;
}
