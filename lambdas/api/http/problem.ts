import { SECOND_MS } from '../../core/clock/clock';
import type { ProblemView } from '../../core/http/openapi/answers';
import type { ProblemKind } from '../../core/http/problem-kinds';
import { isRetryable } from '../../core/is-retryable';
import type { Log } from '../../core/telemetry/telemetry';
import type { ApiRequest, ApiResponse } from '../request';

export interface FieldError {
  /** Dotted: `retry.maxAttempts`, `schedule.exclude.0`; `body` for the body as a whole. */
  path: string;
  message: string;
  /** Only if a payload does not fit its schema: where in it, as a JSON pointer, and by which keyword. */
  pointer?: string;
  keyword?: string;
}

interface ProblemOptions extends ErrorOptions {
  errors?: readonly FieldError[];
  headers?: Record<string, string>;
}

/** An error response, in the terms of RFC 9457. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly errors?: readonly FieldError[];
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    /** Last part of the problem's type. */
    readonly kind: ProblemKind,
    readonly title: string,
    detail: string,
    { errors, headers = {}, cause }: ProblemOptions = {},
  ) {
    super(detail, { cause });
    this.errors = errors;
    this.headers = headers;
  }
}

export const invalid = (errors: readonly FieldError[]): ProblemError =>
  new ProblemError(400, 'invalid-request', 'Invalid request', summaryOf(errors), { errors });

export const invalidField = (path: string, message: string): ProblemError => invalid([{ path, message }]);

export const tooLarge = (path: string, message: string): ProblemError =>
  new ProblemError(413, 'too-large', 'Too large', `${path} ${message}`, { errors: [{ path, message }] });

export const unauthorized = (detail: string): ProblemError =>
  new ProblemError(401, 'unauthorized', 'Unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** For a token that the authorizer rejects, or that has expired since (RFC 6750). */
export const invalidToken = (detail: string): ProblemError =>
  new ProblemError(401, 'unauthorized', 'Unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });

export const forbidden = (detail: string): ProblemError =>
  new ProblemError(403, 'forbidden', 'Forbidden', detail);

export const observerToken = (detail: string): ProblemError =>
  new ProblemError(403, 'observer-token', 'Observer token', detail);

/** Also for a job of another project: the response must not reveal that it exists. */
export const notFound = (
  what:
    | 'job'
    | 'kind of problem'
    | 'item'
    | 'failure'
    | 'acknowledgement'
    | 'execution'
    | 'API key'
    | 'backfill'
    | 'calendar'
    | 'change'
    | 'concurrency key'
    | 'notification'
    | 'key for pings'
    | 'monitor'
    | 'route'
    | 'run'
    | 'secret'
    | 'sign-in'
    | 'task'
    | 'version'
    | 'work queue',
): ProblemError => new ProblemError(404, 'not-found', 'Not found', `no such ${what}`);

export const conflict = (detail: string): ProblemError =>
  new ProblemError(409, 'conflict', 'Conflict', detail);

export const runStarted = (detail: string): ProblemError =>
  new ProblemError(409, 'run-started', 'Run started', detail);

/** 409 for what asks that a monitor be run. */
export const notRunHere = (): ProblemError =>
  new ProblemError(409, 'monitor', 'Monitor', 'the job is a monitor: it runs elsewhere, and pings');

export const preconditionFailed = (detail = 'the job no longer has the ETag of If-Match'): ProblemError =>
  new ProblemError(412, 'precondition-failed', 'Precondition failed', detail);

/** `Retry-After` is in whole seconds, at least one. */
const retryAfter = (ms: number) => ({
  headers: { 'retry-after': String(Math.max(1, Math.ceil(ms / SECOND_MS))) },
});

export const tooMany = (detail: string, retryAfterMs: number): ProblemError =>
  new ProblemError(429, 'too-many-requests', 'Too many requests', detail, retryAfter(retryAfterMs));

export const unsupportedMediaType = (detail: string, headers: Record<string, string>): ProblemError =>
  new ProblemError(415, 'unsupported-media-type', 'Unsupported media type', detail, { headers });

/** `allowed`: the methods that the path has. */
export const methodNotAllowed = (allowed: readonly string[]): ProblemError =>
  new ProblemError(
    405,
    'method-not-allowed',
    'Method not allowed',
    `this path has the methods ${allowed.join(', ')}`,
    { headers: { allow: allowed.join(', ') } },
  );

/** 429 for a quota of the project's; the detail names it. */
export const quotaExceeded = (detail: string, retryAfterMs: number): ProblemError =>
  new ProblemError(429, 'quota-exceeded', 'Quota exceeded', detail, retryAfter(retryAfterMs));

export const keyReused = (): ProblemError =>
  new ProblemError(
    422,
    'idempotency-key-reused',
    'Idempotency-Key reused',
    'this Idempotency-Key was used with another body; use a new one',
  );

/** 503: the request may or may not have taken effect. The client may repeat it. */
export const unavailable = (cause: unknown): ProblemError =>
  new ProblemError(
    503,
    'unavailable',
    'Unavailable',
    'no answer from the store in time; the outcome is unknown',
    {
      headers: { 'retry-after': '2' },
      cause,
    },
  );

export const internal = (cause: unknown): ProblemError =>
  new ProblemError(
    500,
    'internal',
    'Internal error',
    'something went wrong that is not the request’s fault',
    {
      cause,
    },
  );

/**
 * Converts any error into a problem. Logs the error, unless it is a `ProblemError`: those the client can
 * correct.
 */
export function problemOf(
  error: unknown,
  { route: { operation }, requestId }: Pick<ApiRequest, 'route' | 'requestId'>,
  log: Log,
): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isRetryable(error)) {
    log.error('no answer from a store or queue', error, { operation, requestId });
    return unavailable(error);
  }
  log.error('request failed', error, { operation, requestId });
  return internal(error);
}

/** `application/problem+json`. The `requestId` in `instance` leads to the log line. */
export function problemResponse(
  problem: ProblemError,
  { requestId, origin = '' }: Pick<ApiRequest, 'requestId' | 'origin'>,
): ApiResponse {
  const body: ProblemView = {
    type: `${origin}/v1/problems/${problem.kind}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: `urn:quarterjack:request:${encodeURIComponent(requestId)}`,
    ...(problem.errors ? { errors: [...problem.errors] } : {}),
  };
  return {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body,
  };
}

const summaryOf = (errors: readonly FieldError[]): string =>
  errors
    .map(({ path, message }) => `${path}: ${message}`)
    .slice(0, 3)
    .join('; ') + (errors.length > 3 ? `; and ${errors.length - 3} more` : '');
