/** Base class of this client's errors. Its subclasses differ in what the caller can do about them. */
export class QuarterjackError extends Error {
  override name = 'QuarterjackError';
}

/** The program has passed something else than the client takes. Nothing was sent. */
export class ArgumentError extends QuarterjackError {
  override name = 'ArgumentError';

  /**
   * `argument` is its name, or `options.signal` for a field. The message shows no value: it may be secret.
   */
  constructor(
    readonly argument: string,
    value: unknown,
    expected: string,
  ) {
    super(`${argument} is ${kindOf(value)}; expected ${expected}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** No response: every allowed try ended in a network failure or a timeout. */
export class ConnectionError extends QuarterjackError {
  override name = 'ConnectionError';
}

/** A response that is not one of the API, for example a sign-in page of a proxy, or the page of a web app. */
export class ResponseError extends QuarterjackError {
  override name = 'ResponseError';

  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A field that the API rejected. */
export interface FieldProblem {
  /** Dotted: `schedule.expression`; `body` for the body as a whole. */
  path: string;
  message: string;
}

/** The body of an RFC 9457 response. For any other body, `problemOf` fills it in from the status. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string | undefined;
  /** Identifies the request: the header `Quarterjack-Request-Id`. */
  requestId?: string | undefined;
  errors?: FieldProblem[];
}

/** The API responded with an error. `status` is the HTTP status. */
export class ProblemError extends QuarterjackError {
  override name = 'ProblemError';
  readonly status: number;
  /** A URL that says what the problem is, and whose last part names its kind; or `about:blank`. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Identifies the request: an operator can find it in the logs by this. */
  readonly instance: string | undefined;
  /** Identifies the request, also where API Gateway answered it. Undefined if there was no response. */
  readonly requestId: string | undefined;
  /** The rejected fields. Empty unless the input was invalid. */
  readonly errors: readonly FieldProblem[];

  constructor(problem: ProblemDetails) {
    super(
      `${problem.title}${problem.title === untitled(problem.status) ? '' : ` (${problem.status})`}: ${problem.detail}`,
    );
    this.status = problem.status;
    this.type = problem.type;
    this.title = problem.title;
    this.detail = problem.detail;
    this.instance = problem.instance;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
  }
}

/** 400 and 413: the request is invalid. `errors` names the fields. */
export class ValidationError extends ProblemError {
  override name = 'ValidationError';
}

/** 401: the token is missing, has expired, or is not for this API. */
export class AuthenticationError extends ProblemError {
  override name = 'AuthenticationError';
}

/** 403: the token lacks a scope. */
export class PermissionError extends ProblemError {
  override name = 'PermissionError';
}

/** 404: this user has no such job or execution. */
export class NotFoundError extends ProblemError {
  override name = 'NotFoundError';
}

/** 409, 412 and 422: another request came first. Read the current state, then decide. */
export class ConflictError extends ProblemError {
  override name = 'ConflictError';
}

/** 429, after every allowed try. */
export class RateLimitError extends ProblemError {
  override name = 'RateLimitError';
}

/** 5xx, after every allowed try. Whether the request took effect is unknown. */
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

/** The error for a response with this status. `body` is the parsed JSON, or the text if it was not JSON. */
export function problemOf(status: number, body: unknown, requestId?: string): ProblemError {
  const known: Partial<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const isOfGateway = known.type === undefined && (status === 401 || text(known.message) !== undefined);
  const [ownTitle, ownDetail] = (isOfGateway && OF_GATEWAY[status]) || [];
  const detail = text(known.detail) ?? ownDetail ?? text(known.message) ?? textOf(body);
  const type = text(known.type) ?? 'about:blank';
  const title = text(known.title) ?? ownTitle ?? untitled(status);
  const errors = Array.isArray(known.errors) ? known.errors.filter(isFieldProblem) : [];
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ProblemError);
  return new Kind({ type, title, status, detail, instance: text(known.instance), requestId, errors });
}

/** Title and detail of API Gateway's own errors. Their `message` says no more than a title. */
const OF_GATEWAY: Record<number, [title: string, detail: string]> = {
  401: ['Unauthorized', 'the token is missing, has expired, or is not for this API'],
  404: ['Not found', 'the API has no route with this path'],
  413: ['Request too large', 'a request has at most 10 MB'],
  429: ['Too many requests', 'the API gets more requests than it takes; try again in a second'],
};

const untitled = (status: number): string => `Status ${status}`;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isFieldProblem = (value: unknown): value is FieldProblem => {
  const { path, message } = (value ?? {}) as Partial<FieldProblem>;
  return typeof path === 'string' && typeof message === 'string';
};

const textOf = (body: unknown): string =>
  typeof body === 'string' && body.trim() ? body.trim().slice(0, 500) : 'the response has no description';
