import type { AttemptRecord, Execution } from './execution';
import type { ExecutionStatus } from './transitions';

/** What kind of error a failed attempt met. A closed list: no text of a target can become a part of it. */
export const ERROR_CLASSES = [
  'status',
  'aborted',
  'refused',
  'reset',
  'unreachable',
  'name',
  'certificate',
  'access-denied',
  'throttled',
  'missing',
  'function',
  'not-called',
  'lost',
  'other',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** By the codes of Node and the names of AWS errors that `error` begins with or contains. */
const BY_TEXT: readonly [pattern: RegExp, errorClass: ErrorClass][] = [
  [/^not called:/, 'not-called'],
  [
    /^(?:call aborted|timed out after)\b|\b(?:ETIMEDOUT|ETIMEOUT)\b|^\w*Timeout\w*:|did not respond within/,
    'aborted',
  ],
  [/\bECONNREFUSED\b/, 'refused'],
  [/\b(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENODATA)\b/, 'name'],
  [/\b(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)\b/, 'unreachable'],
  [/\b(?:CERT_[A-Z_]+|[A-Z_]+_CERT(?:_[A-Z_]+)?|ERR_TLS_[A-Z_]+|ERR_SSL_[A-Z_]+|EPROTO)\b/, 'certificate'],
  [/\b(?:ECONNRESET|EPIPE)\b|^the connection closed before|\bsocket hang up\b/, 'reset'],
  [/^the function failed:/, 'function'],
  [/^(?:AccessDenied|NotAuthorized|AuthorizationError|InvalidClientTokenId)\w*:/, 'access-denied'],
  [/^\w*(?:Throttl|TooManyRequests|LimitExceeded|OverLimit|SlowDown)\w*:/, 'throttled'],
  [/^\w*(?:NotFound|DoesNotExist|NonExistentQueue|StateMachineDoesNotExist)\w*:/, 'missing'],
];

/** The class of a failed attempt's error. */
export function errorClassOf({ outcome, statusCode, error = '' }: AttemptRecord): ErrorClass {
  if (outcome === 'lost') return 'lost';
  const named = BY_TEXT.find(([pattern]) => pattern.test(error))?.[1];
  return named ?? (statusCode === undefined ? 'other' : 'status');
}

/** What failures of one cause have in common. */
export interface Fingerprint {
  status: 'failed' | 'skipped';
  reason?: string;
  errorClass?: ErrorClass;
  statusCode?: number;
  host?: string;
}

type Ended = Pick<Execution, 'reason' | 'attempts'> & { status: ExecutionStatus };

const FAILED: ReadonlySet<string> = new Set<AttemptRecord['outcome']>(['retriable', 'fatal', 'lost']);

/** The attempt that failed last. If one of several targets failed for good, it is that one. */
function lastFailure({ attempts }: Pick<Execution, 'attempts'>): AttemptRecord | undefined {
  const last = attempts.findLast(({ outcome }) => FAILED.has(outcome));
  return attempts.findLast(({ fence, outcome }) => fence === last?.fence && outcome === 'fatal') ?? last;
}

/** Host of the HTTP target that failed last, with its port if that is not the usual one. */
export const failedHostOf = (execution: Pick<Execution, 'attempts'>): string | undefined =>
  lastFailure(execution)?.host;

/** Undefined unless the execution has failed or was skipped. */
export function fingerprintOf(execution: Ended): Fingerprint | undefined {
  const { status, reason } = execution;
  if (status === 'skipped') return { status, reason };
  if (status !== 'failed') return undefined;
  const failure = lastFailure(execution);
  if (!failure) return { status, reason };
  const { statusCode, host } = failure;
  return { status, reason, errorClass: errorClassOf(failure), statusCode, host };
}

/** `failed/attempts-exhausted/status/503/billing.example.com`; a part without value is `-`. */
export const fingerprintText = ({ status, reason, errorClass, statusCode, host }: Fingerprint): string =>
  [status, reason, errorClass, statusCode, host].map((part) => part ?? '-').join('/');
