interface KindText {
  title: string;
  status: number;
  meaning: string;
  /** What the client can do. */
  advice: string;
}

/** What each kind of problem means: the answers of `/v1/problems/{kind}`. */
export const PROBLEM_KINDS = {
  'invalid-request': {
    title: 'Invalid request',
    status: 400,
    meaning: 'A field, a parameter or a header has a value that is not allowed.',
    advice: 'Correct each field that `errors` names. Nothing was changed.',
  },
  'payload-too-complex': {
    title: 'Payload too complex',
    status: 400,
    meaning: 'To check the payload by the schema of its job takes more than 100,000 steps.',
    advice: 'Send a smaller payload, or give the job a schema with fewer alternatives.',
  },
  unauthorized: {
    title: 'Unauthorized',
    status: 401,
    meaning: 'The token is missing, has expired, or is not for this API.',
    advice: 'Sign in again, or use an API key that has not expired.',
  },
  forbidden: {
    title: 'Forbidden',
    status: 403,
    meaning: 'The token, or its role in the project, does not permit the operation.',
    advice:
      'Use a token that has the scope that `detail` names, or ask an owner of the project for the role.',
  },
  'observer-token': {
    title: 'Observer token',
    status: 403,
    meaning: 'The token is that of a target with `observe`: it may send heartbeats and log lines only.',
    advice: 'Respond to the delivery itself: the response is the result of the attempt.',
  },
  'not-found': {
    title: 'Not found',
    status: 404,
    meaning: 'There is no such resource, or it belongs to another project.',
    advice: 'Check the id, and the project that the token and `Quarterjack-Project` name.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    status: 405,
    meaning: 'The path exists, but not with this method.',
    advice: 'Use one of the methods of the header `Allow`.',
  },
  conflict: {
    title: 'Conflict',
    status: 409,
    meaning: 'The request does not fit the current state.',
    advice: 'Read the resource again, then decide.',
  },
  monitor: {
    title: 'Monitor',
    status: 409,
    meaning: 'The job is a monitor. It runs elsewhere, so that it cannot be run, retried or backfilled here.',
    advice: 'Run it where it runs. Its ping then ends the alert.',
  },
  'run-started': {
    title: 'Run started',
    status: 409,
    meaning: 'The run of the key has started, or its key is still taken, so it cannot be replaced.',
    advice: 'Wait for its end, or cancel it by its key.',
  },
  'precondition-failed': {
    title: 'Precondition failed',
    status: 412,
    meaning: 'Another change came first: the ETag is no longer that of the request.',
    advice: 'Read the resource again, and repeat the change with its new ETag.',
  },
  'too-large': {
    title: 'Too large',
    status: 413,
    meaning: 'The request, or one of its fields, has too many bytes.',
    advice: 'Send less, or split the request.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    status: 415,
    meaning: 'The body is compressed, or has a type that the route does not take.',
    advice: 'Send JSON as it is, with the type that `detail` names.',
  },
  'idempotency-key-reused': {
    title: 'Idempotency-Key reused',
    status: 422,
    meaning: 'The `Idempotency-Key` came before with another body.',
    advice: 'Use a new key for each new request.',
  },
  'event-id-reused': {
    title: 'Event id reused',
    status: 422,
    meaning: 'An event with this id came before, with another key or other data.',
    advice: 'Use a new id for each new event.',
  },
  'quota-exceeded': {
    title: 'Quota exceeded',
    status: 429,
    meaning: 'The project has used up a quota, which `detail` names.',
    advice:
      'Wait for the seconds of `Retry-After`, or ask an operator for more. GET /v1/usage has what is used.',
  },
  'too-many-requests': {
    title: 'Too many requests',
    status: 429,
    meaning: 'There are too many requests at a time.',
    advice: 'Wait for the seconds of `Retry-After`, then repeat the request.',
  },
  internal: {
    title: 'Internal error',
    status: 500,
    meaning: 'Something went wrong that is not the request’s fault.',
    advice: 'Give an operator the `Quarterjack-Request-Id`: the log has the cause under it.',
  },
  unavailable: {
    title: 'Unavailable',
    status: 503,
    meaning: 'A store did not answer in time. Whether the request took effect is unknown.',
    advice: 'Repeat the request, a create with the `Idempotency-Key` that it had.',
  },
} as const satisfies Record<string, KindText>;
export type ProblemKind = keyof typeof PROBLEM_KINDS;
