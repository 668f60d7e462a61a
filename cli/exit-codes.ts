import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProblemError,
  QuarterjackError,
  RateLimitError,
  ServerError,
  ValidationError,
  WaitTimeoutError,
} from '../client';

/** What a script can tell apart. docs/cli.md lists them; a number never changes its meaning. */
export const ExitCode = {
  ok: 0,
  /** Anything that is none of the others; the API refusing a value among them. */
  failed: 1,
  /** `plan --detailed-exitcode`: there is something to apply. */
  changes: 2,
  /** The command line, a file or the profile is wrong: nothing was sent. */
  usage: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  /** No answer, or a busy or broken API, after every repeat: the outcome may be unknown. */
  unavailable: 7,
  /** The execution that was waited for did not succeed, or not in time. */
  notSucceeded: 8,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** What its user can put right: shown as one line, without a stack. */
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

const BY_KIND: [kind: abstract new (...args: never[]) => Error, code: ExitCode][] = [
  [AuthenticationError, ExitCode.notAllowed],
  [PermissionError, ExitCode.notAllowed],
  [NotFoundError, ExitCode.notFound],
  [ConflictError, ExitCode.conflict],
  [RateLimitError, ExitCode.unavailable],
  [ServerError, ExitCode.unavailable],
  [ConnectionError, ExitCode.unavailable],
  [WaitTimeoutError, ExitCode.notSucceeded],
];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  return BY_KIND.find(([kind]) => error instanceof kind)?.[1] ?? ExitCode.failed;
}

/** One line or a few for what its user can put right; the whole stack for anything else. */
export function explain(error: unknown): string {
  if (error instanceof ValidationError && error.errors.length > 0)
    return error.errors.map(({ path, message }) => `${path} ${message}`).join('\n');
  if (error instanceof AuthenticationError)
    return `${error.detail} (401): the token is missing, expired or not for this API; see quarterjack login --help`;
  if (error instanceof ProblemError) {
    const request = error.instance ? ` [${error.instance}]` : '';
    return `${error.title} (${error.status}): ${error.detail}${error.status >= 500 ? request : ''}`;
  }
  if (error instanceof CliError || error instanceof QuarterjackError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
