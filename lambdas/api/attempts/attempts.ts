import type { ReportView } from '../../core/http/openapi/answers';
import { CompleteBody, FailBody, HeartbeatBody, MAX_PROGRESS_TEXT } from '../../core/http/report';
import { parseDuration } from '../../core/schedule/duration';
import type { Progress } from '../../core/domain/execution';
import { jobRefOf } from '../../core/contracts/tables';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import type { HiddenValue } from '../../core/delivery/secrets/needles';
import { Redactor } from '../../core/delivery/secrets/redactor';
import { everyValueOf } from '../../core/delivery/secrets/secret-values';
import { type KEPT_BYTES, keptText, reasonSaid } from '../../core/domain/target-result';
import { type Output, outputOf, outputOfText } from '../../core/domain/workflow/output';
import type { Lease } from '../../core/store/execution-store';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { reportingAttemptOf, stale, takeReport } from './attempt-report';
import { observeAttempt } from './observe-attempt';

/**
 * 200: the target is still at work, and its lease lasts for another `heartbeatTimeout`. After a request to
 * cancel, the lease is left to expire, and the response says so.
 */
export async function heartbeatAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await reportingAttemptOf(request, deps, { takesObservers: true });
  const progress = await progressIn(readOptionalBody(request, HeartbeatBody), attempt, deps);
  if (attempt.isObserver) return observeAttempt(attempt, progress, deps);
  const { lease } = attempt;
  const outcome = await deps.executions.heartbeat(lease, deps.clock.nowMs(), progress);
  if (outcome === 'lease-lost') throw stale(undefined);
  const body: ReportView = { status: 'running', cancelRequested: outcome === 'cancel-requested' };
  return { status: 200, body };
}

/** 200: the target has succeeded. Keeps the beginning of its result; all of it, for other tasks. */
export async function completeAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await reportingAttemptOf(request, deps);
  const { result } = readOptionalBody(request, CompleteBody);
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const body = text === undefined ? undefined : await keptReport(text, 'ofSuccess', attempt, deps);
  return takeReport(attempt, { outcome: 'succeeded', body }, deps, () =>
    outputOfReport(result, attempt, deps),
  );
}

/** 200: the target has failed. Keeps the beginning of its error. */
export async function failAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await reportingAttemptOf(request, deps);
  const { error, retriable, retryAfter, reason } = readOptionalBody(request, FailBody);
  const outcome = retriable ? 'retriable' : 'fatal';
  const kept = await keptReport(error, 'ofFailure', attempt, deps);
  const retryAfterMs = retryAfter === undefined ? undefined : parseDuration(retryAfter);
  return takeReport(attempt, { outcome, reason: reasonSaid(reason), error: kept, retryAfterMs }, deps);
}

/** What a heartbeat says of the progress, without the secrets that the target was sent. */
async function progressIn(
  { progress: value, text }: HeartbeatBody,
  { lease, secretNames = [] }: AttemptTokenPayload,
  deps: ApiDeps,
): Promise<Progress | undefined> {
  if (value === undefined) return undefined;
  const at = { value, atMs: deps.clock.nowMs() };
  if (text === undefined || secretNames.length === 0) return { ...at, ...(text !== undefined && { text }) };
  const hidden = await hiddenOf(lease, secretNames, deps);
  const shown = typeof hidden === 'string' ? hidden : new Redactor(hidden).text(text);
  return { ...at, text: shown.slice(0, MAX_PROGRESS_TEXT) };
}

/**
 * The kept beginning of what a target reports, without the secrets that it was sent. If such a secret is
 * gone, its value cannot be looked for, so nothing of the text is kept.
 */
async function keptReport(
  text: string,
  kept: keyof typeof KEPT_BYTES,
  { lease, secretNames = [] }: AttemptTokenPayload,
  deps: ApiDeps,
): Promise<string> {
  if (secretNames.length === 0) return keptText(text, kept);
  const hidden = await hiddenOf(lease, secretNames, deps);
  if (typeof hidden === 'string') return hidden;
  return keptText(new Redactor(hidden).text(text), kept);
}

/** The whole result that a target reports, as an output without the secrets that it was sent. */
async function outputOfReport(
  result: unknown,
  { lease, secretNames = [] }: AttemptTokenPayload,
  deps: ApiDeps,
): Promise<Output> {
  const output = outputOf(result);
  if (secretNames.length === 0 || output === 'too-large') return output;
  const hidden = await hiddenOf(lease, secretNames, deps);
  return typeof hidden === 'string' ? outputOf(hidden) : outputOfText(new Redactor(hidden).text(output.json));
}

/** The values to hide, or the text to keep instead of a report in which they cannot be looked for. */
async function hiddenOf(
  { jobKey }: Lease,
  names: readonly string[],
  { secrets, sealingKeys: keys, clock }: ApiDeps,
): Promise<readonly HiddenValue[] | string> {
  const { userId } = jobRefOf(jobKey);
  const { hidden, unknown } = await everyValueOf(userId, names, { secrets, keys, nowMs: clock.nowMs() });
  if (unknown.length === 0) return hidden;
  return `[not kept: the value of secret ${unknown.join(', ')} is not known any more]`;
}
