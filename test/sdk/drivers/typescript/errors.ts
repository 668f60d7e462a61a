import {
  ArgumentError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProblemError,
  RateLimitError,
  ResponseError,
  ServerError,
  SignatureError,
  StaleFenceError,
  ValidationError,
} from '../../../../client';

/** The name of an error in the protocol, the first that fits. */
const KINDS: readonly [kind: string, of: new (...args: any[]) => Error][] = [
  ['validation', ValidationError],
  ['authentication', AuthenticationError],
  ['permission', PermissionError],
  ['not-found', NotFoundError],
  ['conflict', ConflictError],
  ['rate-limit', RateLimitError],
  ['server', ServerError],
  ['problem', ProblemError],
  ['connection', ConnectionError],
  ['response', ResponseError],
  ['argument', ArgumentError],
  ['signature', SignatureError],
  ['stale-fence', StaleFenceError],
];

/** What a Lambda handler has thrown. */
export class LambdaError extends Error {
  constructor(readonly thrown: Error) {
    super(thrown.message);
  }
}

/** An error as the protocol writes it. */
export function errorOf(error: unknown): object {
  const { message, stack, ...fields } = Object(error) as Error & Partial<ProblemError>;
  if (error instanceof LambdaError) return { kind: 'lambda', message, errorType: error.thrown.name };
  const kind = KINDS.find(([, of]) => error instanceof of)?.[0] ?? 'other';
  const { status, type, detail, requestId, errors } = fields;
  return { kind, message: kind === 'other' ? stack : message, status, type, detail, requestId, errors };
}
