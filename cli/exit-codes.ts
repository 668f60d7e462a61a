import {
  ArgumentError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProblemError,
  QuarterjackError,
  RateLimitError,
  ResponseError,
  ServerError,
  ValidationError,
  WaitTimeoutError,
} from '../client';
import { connectionText } from './connection-faults';
import { lines } from './terminal/printable';

/** Exit codes, for scripts. docs/cli.md lists them. A number never changes its meaning. */
export const ExitCode = {
  ok: 0,
  /** Any other failure, such as a value that the API rejects. */
  failed: 1,
  /** `plan --detailed-exitcode`: there are changes to apply. */
  changes: 2,
  /** The command line, a file or the profile is wrong. Nothing was changed. */
  usage: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  /**
   * After all retries, there was no response of the API, or one with 429 or 5xx. The outcome may be unknown.
   */
  unavailable: 7,
  /** The awaited execution did not succeed, or did not end in time. */
  notSucceeded: 8,
  /** Ctrl-C. The command has said what was done. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error that the user can correct. Shown as its message alone, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = ExitCode.usage,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** There is no token that may be sent. */
export class TokenError extends CliError {
  constructor(
    readonly text: string,
    readonly advice: string,
  ) {
    super(`${text}: ${advice}`);
  }
}

const BY_KIND: [kind: abstract new (...args: never[]) => Error, code: ExitCode][] = [
  [ArgumentError, ExitCode.usage],
  [AuthenticationError, ExitCode.notAllowed],
  [PermissionError, ExitCode.notAllowed],
  [NotFoundError, ExitCode.notFound],
  [ConflictError, ExitCode.conflict],
  [RateLimitError, ExitCode.unavailable],
  [ServerError, ExitCode.unavailable],
  [ConnectionError, ExitCode.unavailable],
  [ResponseError, ExitCode.unavailable],
  [WaitTimeoutError, ExitCode.notSucceeded],
];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  return BY_KIND.find(([kind]) => error instanceof kind)?.[1] ?? ExitCode.failed;
}

/**
 * The text to show for an error, without hidden characters. An error that the user cannot correct has its
 * stack trace.
 */
export const explain = (error: unknown): string => lines(textOf(error));

function textOf(error: unknown): string {
  if (error instanceof ValidationError && error.errors.length > 0)
    return error.errors.map(({ path, message }) => `${path} ${message}`).join('\n');
  if (error instanceof AuthenticationError) return `${error.message}; see quarterjack login --help`;
  if (error instanceof PermissionError && /\btoken lacks the scope\b/.test(error.detail)) {
    const ofOperators = error.detail.endsWith(' scope admin') ? ', which is for operators' : '';
    return `${error.title} (${error.status}): ${error.detail}${ofOperators}; sign in for a token that has it (quarterjack login --help)`;
  }
  if (error instanceof NotFoundError && error.detail === 'no such key for pings')
    return `${error.message}; an owner makes one by quarterjack ping-key set`;
  if (error instanceof ProblemError) {
    const request = error.requestId ? ` [request ${error.requestId}]` : '';
    return `${error.message}${error.status >= 500 ? request : ''}`;
  }
  if (error instanceof ConnectionError) return connectionText(error);
  if (error instanceof CliError || error instanceof QuarterjackError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
