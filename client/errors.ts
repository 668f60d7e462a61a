/** What went wrong, by what its reader can do about it. Every error of this client is one of these. */
export class QuarterjackError extends Error {
  override name = 'QuarterjackError';
}

/** No answer: the network failed, or the time for one try ran out, in every try that was allowed. */
export class ConnectionError extends QuarterjackError {
  override name = 'ConnectionError';
}

/** A field that the API refused. */
export interface FieldProblem {
  /** Dotted: `schedule.expression`; `body` for the body as a whole. */
  path: string;
  message: string;
}

/** The body of an answer by RFC 9457; an answer that is not one is described by its status alone. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  errors?: FieldProblem[];
}

/** The API answered with a problem. `status` is that of HTTP. */
export class ProblemError extends QuarterjackError {
  override name = 'ProblemError';
  readonly status: number;
  /** `urn:quarterjack:problem:…`, or `about:blank`. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Names the request: what an operator can find it by. */
  readonly instance: string | undefined;
  /** Empty for all but bad input. */
  readonly errors: readonly FieldProblem[];

  constructor(problem: ProblemDetails) {
    super(`${problem.title} (${problem.status}): ${problem.detail}`);
    this.status = problem.status;
    this.type = problem.type;
    this.title = problem.title;
    this.detail = problem.detail;
    this.instance = problem.instance;
    this.errors = problem.errors ?? [];
  }
}

/** 400 and 413: the request has to change. `errors` names the fields. */
export class ValidationError extends ProblemError {
  override name = 'ValidationError';
}

/** 401: the token is missing, expired or not for this API. */
export class AuthenticationError extends ProblemError {
  override name = 'AuthenticationError';
}

/** 403: the token lacks a scope. */
export class PermissionError extends ProblemError {
  override name = 'PermissionError';
}

/** 404: no such job or execution, for this user. */
export class NotFoundError extends ProblemError {
  override name = 'NotFoundError';
}

/** 409, 412 and 422: another request was there first; read again and decide. */
export class ConflictError extends ProblemError {
  override name = 'ConflictError';
}

/** 429, after every try that was allowed. */
export class RateLimitError extends ProblemError {
  override name = 'RateLimitError';
}

/** 5xx, after every try that was allowed: whether the request took effect is unknown. */
export class ServerError extends ProblemError {
  override name = 'ServerError';
}

const BY_STATUS: Record<number, typeof ProblemError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: ValidationError,
  422: ConflictError,
  429: RateLimitError,
};

/** The error for an answer with this status. `body`: as parsed, or the text where it is no JSON. */
export function problemOf(status: number, body: unknown): ProblemError {
  const known = typeof body === 'object' && body !== null ? (body as Partial<ProblemDetails>) : {};
  // What API Gateway itself refuses has a body of its own: { message }.
  const { message } = known as { message?: unknown };
  const detail = known.detail ?? (typeof message === 'string' ? message : textOf(body));
  const { type = 'about:blank', title = `Status ${status}`, instance, errors } = known;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ProblemError);
  return new Kind({ type, title, status, detail, instance, errors });
}

const textOf = (body: unknown): string =>
  typeof body === 'string' && body.trim() ? body.trim().slice(0, 500) : 'the answer has no description';
