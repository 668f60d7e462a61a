import { CliError, ExitCode } from '../../exit-codes';

/** The properties of the SDK's errors that are read here. */
interface AwsError extends Error {
  /** Without a status if there was no response. */
  $metadata?: { httpStatusCode?: number };
  /** Only in an error of the network: `ENOTFOUND`, for example. */
  code?: string;
}

/**
 * An error of the AWS SDK, as one line and with the exit code that an error of the API would have. Any other
 * error is returned as it is.
 */
export function awsErrorOf(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const { name, message, $metadata, code } = cause as AwsError;
  const of = (exitCode: ExitCode, text: string) => new CliError(text, exitCode, { cause });
  if (message === 'Region is missing')
    return of(ExitCode.usage, 'no AWS region: use --region, or set AWS_REGION');
  if (/^(CredentialsProviderError|TokenProviderError)$/.test(name))
    return of(ExitCode.notAllowed, `no AWS credentials: ${message}`);
  const status = $metadata?.httpStatusCode;
  if (status === undefined && !$metadata && !code && name !== 'TimeoutError') return cause;
  if (status === undefined) return of(ExitCode.unavailable, `AWS does not respond: ${message || name}`);
  return of(exitCodeOf(status, name), `AWS (${status} ${name}): ${message}`);
}

function exitCodeOf(status: number, name: string): ExitCode {
  if (status >= 500 || status === 429 || name.startsWith('Throttl')) return ExitCode.unavailable;
  if (status === 404) return ExitCode.notFound;
  if (/^(AccessDenied|ExpiredToken|UnrecognizedClient|InvalidSignature|IncompleteSignature)/.test(name))
    return ExitCode.notAllowed;
  return status === 401 || status === 403 ? ExitCode.notAllowed : ExitCode.failed;
}
