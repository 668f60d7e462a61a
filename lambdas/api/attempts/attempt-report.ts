import type { ReportView } from '../../core/http/openapi/answers';
import { jobRefOf } from '../../core/contracts/tables';
import { attemptRecord } from '../../core/domain/attempt-records';
import { deliveredBy } from '../../core/ending/runs/delivered-by';
import { settleAttempt } from '../../core/attempts/settle';
import { recordLateResult } from '../../core/attempts/late-results';
import type { TargetResult } from '../../core/domain/target-result';
import type { AttemptOutcome, AttemptRecord } from '../../core/domain/execution';
import { asChild } from '../../core/domain/workflow/child-row';
import type { Output } from '../../core/domain/workflow/output';
import { isTaskExecution } from '../../core/domain/workflow/task-id';
import { repeatEnd } from '../../core/ending/end-execution';
import { holdsLease } from '../../core/store/execution-store';
import { type AttemptTokenPayload, openAttemptToken } from '../../core/delivery/attempt-token';
import { conflict, observerToken, type ProblemError, unauthorized } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** The result that a target reports for its attempt. */
export type Report = TargetResult & { outcome: Exclude<TargetResult['outcome'], 'accepted'> };

/** The attempt that the request's token names. Throws `ProblemError` 401. */
export async function attemptTokenOf(
  { headers }: ApiRequest,
  { secret }: ApiDeps,
): Promise<AttemptTokenPayload> {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const payload = token === undefined ? undefined : openAttemptToken(token, await secret.get());
  if (payload) return payload;
  throw unauthorized('expected "Authorization: Bearer" with the Quarterjack-Token of an attempt');
}

/**
 * The attempt that a report's token names. It counts towards the project's quota; a refused one has changed
 * nothing. Throws `ProblemError` 401, 403 for a token that only observes, or 429.
 */
export async function reportingAttemptOf(
  request: ApiRequest,
  deps: ApiDeps,
  { takesObservers = false } = {},
): Promise<AttemptTokenPayload> {
  const attempt = await attemptTokenOf(request, deps);
  if (attempt.isObserver && !takesObservers)
    throw observerToken('this token may send heartbeats and log lines: the response is the result');
  await deps.quotas.chargeRate(jobRefOf(attempt.lease.jobKey).userId, 'reports');
  return attempt;
}

/**
 * 200: ends the attempt that holds the lease. The report may arrive before the executor has recorded the
 * target's 202. If the lease is lost, keeps the report as a late result and throws `ProblemError` 409.
 *
 * @param outputOf what the target returns, whole: asked for only if other tasks read it
 */
export async function takeReport(
  { lease, target = 0 }: AttemptTokenPayload,
  report: Report,
  deps: ApiDeps,
  outputOf?: () => Promise<Output>,
): Promise<ApiResponse> {
  const execution = await deps.executions.get(lease);
  if (!execution) throw stale(undefined);
  const isOwn = (record: AttemptRecord) => record.fence === lease.fence && record.target === target;
  if (holdsLease(execution, lease) && !execution.attempts.some(isOwn)) {
    const { job, run } = await deliveredBy(lease, await deps.jobs.get(jobRefOf(lease.jobKey)), deps);
    const handle = {
      lease,
      isReport: true as const,
      cancelRequested: () => execution.cancelRequested !== undefined,
      write: <Outcome>(write: () => Promise<Outcome>) => write(),
    };
    const startedAtMs = execution.claimedAtMs ?? deps.clock.nowMs();
    const deliveredAs = job && asChild(job, execution);
    const output = deliveredAs?.keepsOutput && (await outputOf?.());
    const outcome = { target, result: { ...report, ...(output && { output }) }, startedAtMs };
    const attempt = { execution, job: deliveredAs, handle, run };
    const status = await settleAttempt(attempt, [outcome], deps);
    if (status !== 'lease-lost') return { status: 200, body: { status } satisfies ReportView };
  }
  const row = await deps.executions.get(lease);
  const recorded = row?.attempts.find(isOwn);
  // The API may have died between the end of a task and what follows from it.
  if (row && recorded && isTaskExecution(row.execId)) await repeatEnd(row, { by: 'other' }, deps);
  const nowMs = deps.clock.nowMs();
  const late = attemptRecord(lease, { ...report, target }, recorded?.startedAtMs ?? nowMs, nowMs);
  await recordLateResult(lease, late, deps);
  throw stale(recorded?.outcome);
}

/**
 * A target that repeats a report because its response was lost learns from `recorded` that the report
 * arrived.
 */
export const stale = (recorded: AttemptOutcome | undefined): ProblemError =>
  conflict(
    recorded
      ? `the token is stale: its attempt is on record as ${recorded}`
      : 'the token is stale: its attempt has ended',
  );
