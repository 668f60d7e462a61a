import type { AttemptRecord, Execution, FailedTask } from './execution';
import { firstLineOf, lineHashOf } from './failure-line';
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

const MAX_EXCERPT = 160;

/** What failures of one cause have in common. */
export interface Fingerprint {
  status: 'failed' | 'skipped';
  reason?: string;
  errorClass?: ErrorClass;
  statusCode?: number;
  host?: string;
  /** Hash of the line that says what went wrong. */
  line?: string;
  /** Only of a run: the task that has failed it. */
  task?: string;
}

type Failed = Pick<Execution, 'attempts' | 'result' | 'failedTask'>;
type Ended = Failed & Pick<Execution, 'reason'> & { status: ExecutionStatus };

const FAILED: ReadonlySet<string> = new Set<AttemptRecord['outcome']>(['retriable', 'fatal', 'lost']);

/** The attempt that failed last. If one of several targets failed for good, it is that one. */
function lastFailure({ attempts }: Pick<Execution, 'attempts'>): AttemptRecord | undefined {
  const last = attempts.findLast(({ outcome }) => FAILED.has(outcome));
  return attempts.findLast(({ fence, outcome }) => fence === last?.fence && outcome === 'fatal') ?? last;
}

/** What a failure is about: of a run, its failed task. */
const causeIn = (failed: Failed): Pick<Failed, 'attempts' | 'result'> => failed.failedTask ?? failed;

/** Host of the HTTP target that failed last, with its port if that is not the usual one. */
export const failedHostOf = (failed: Failed): string | undefined => lastFailure(causeIn(failed))?.host;

/** The response of the attempt that failed last decides; without one, an error of no known class. */
function failureLine(failed: Failed): string | undefined {
  const cause = causeIn(failed);
  const failure = lastFailure(cause);
  const { statusCode, body } = cause.result ?? {};
  if (body && statusCode === failure?.statusCode) return firstLineOf(body);
  if (failure?.error && errorClassOf(failure) === 'other') return firstLineOf(failure.error);
  return undefined;
}

/** What went wrong, in the words of the target. Undefined unless the execution has failed with any. */
export function excerptOf(execution: Ended): string | undefined {
  return execution.status === 'failed' ? failureLine(execution)?.slice(0, MAX_EXCERPT) : undefined;
}

/** What a run keeps of the task that has failed it. */
export function failedTaskOf(taskId: string, row: Failed | undefined): FailedTask {
  if (!row) return { taskId, attempts: [] };
  const failure = lastFailure(causeIn(row));
  const line = failureLine(row);
  return {
    taskId,
    attempts: failure ? [failure] : [],
    ...(line !== undefined && {
      result: { ...(failure?.statusCode !== undefined && { statusCode: failure.statusCode }), body: line },
    }),
  };
}

/** Undefined unless the execution has failed or was skipped. */
export function fingerprintOf(execution: Ended): Fingerprint | undefined {
  const { status, reason } = execution;
  if (status === 'skipped') return { status, reason };
  if (status !== 'failed') return undefined;
  const line = failureLine(execution);
  const shared = {
    status,
    reason,
    line: line === undefined ? undefined : lineHashOf(line),
    task: execution.failedTask?.taskId,
  };
  const failure = lastFailure(causeIn(execution));
  if (!failure) return shared;
  const { statusCode, host } = failure;
  return { ...shared, errorClass: errorClassOf(failure), statusCode, host };
}

/**
 * `failed/attempts-exhausted/status/503/billing.example.com/1f0c9a2e`; a part without value is `-`. Line and
 * task are left out if they have none.
 */
export function fingerprintText(fingerprint: Fingerprint): string {
  const { status, reason, errorClass, statusCode, host, line, task } = fingerprint;
  const parts = [status, reason, errorClass, statusCode, host];
  if (line !== undefined || task !== undefined) parts.push(line);
  if (task !== undefined) parts.push(task);
  return parts.map((part) => part ?? '-').join('/');
}
