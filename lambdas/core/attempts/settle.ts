import type { TargetResult } from '../domain/target-result';
import type { Execution, Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { decideRetry } from '../domain/retry-policy';
import { recordsOf, type TargetOutcome } from '../domain/attempt-records';
import type { StageDeps } from '../deps';
import { holdsLease } from '../store/execution-store';
import {
  cancel,
  type SettledStatus,
  end,
  delegateLease,
  type LeaseHandle,
  appendReports,
  retryAt,
} from './write-outcome';

/** Reports of several targets that come at once: each try sees one more of them. */
const TRIES = 20;

/**
 * Writes what an attempt came to, as long as the lease holds. `job` is undefined where it was deleted while its target
 * worked: then nothing is tried again. Of several targets, those that have accepted may report at any time, so what is
 * decided on all of them is decided again where one more has.
 */
export async function settleAttempt(
  execution: Execution,
  job: Job | undefined,
  answers: readonly TargetOutcome[],
  held: LeaseHandle,
  deps: StageDeps,
): Promise<SettledStatus> {
  const isShared = job?.targets !== undefined || execution.delegatedTo?.targets !== undefined;
  if (!isShared) return settleSeen(execution, job, answers, held, deps);
  let seen = execution;
  for (let tries = 1; ; tries++) {
    const lease = { ...held.lease, recordsSeen: seen.attempts.length };
    const open = answers.filter(
      ({ target }) => !seen.attempts.some((one) => one.fence === lease.fence && one.target === target),
    );
    const outcome = await settleSeen(seen, job, open, { ...held, lease }, deps);
    if (outcome !== 'lease-lost' || tries === TRIES) return outcome;
    const row = await deps.executions.get(execution);
    if (!row || !holdsLease(row, lease) || row.attempts.length === seen.attempts.length) return outcome;
    seen = row;
  }
}

/** By the records that this attempt has already, and those that are made of `answers` now. */
async function settleSeen(
  execution: Execution,
  job: Job | undefined,
  answers: readonly TargetOutcome[],
  held: LeaseHandle,
  deps: StageDeps,
): Promise<SettledStatus> {
  const nowMs = deps.clock.nowMs();
  const { delegatedTo } = execution;
  const accepted = answers
    .filter(({ result: answer }) => answer.outcome === 'accepted')
    .map(({ target }) => target);
  const records = recordsOf(execution, answers, nowMs);
  const all = [...execution.attempts.filter(({ fence }) => fence === execution.fence), ...records];
  const reported = all.map(({ target }) => target);
  const waiting = [...accepted, ...(delegatedTo?.targets ?? [])].filter(
    (target) => !reported.includes(target),
  );
  const decisive = mostSevere(answers);
  const made = { answer: decisive, records };
  const isOpen = waiting.length > 0 || all.some(({ outcome }) => outcome !== 'succeeded');

  if (held.cancelRequested() && isOpen) return cancel(execution, job, records, accepted, held, deps);
  if (all.some(({ outcome }) => outcome === 'fatal')) {
    const reason = decisive?.blocked ? 'blocked-target' : 'fatal';
    return end(execution, job, { status: 'failed', reason }, held, deps, made);
  }
  if (held.isReport && !delegatedTo && job?.targets) return appendReports(records, held, deps);
  if (waiting.length > 0 && delegatedTo) return appendReports(records, held, deps);
  if (waiting.length > 0 && job) return delegateLease(execution, job, waiting, records, held, deps);
  if (!isOpen) return end(execution, job, { status: 'succeeded' }, held, deps, made);
  if (!job) return end(execution, job, { status: 'cancelled', reason: 'deleted' }, held, deps, made);

  const failures = execution.failures + 1;
  const asked = answers.map(({ result: answer }) => answer.retryAfterMs ?? 0);
  const decision = decideRetry(job.retry, {
    failures,
    dueAtMs: execution.dueAtMs,
    nowMs,
    fraction: deps.random.fraction(),
    retryAfterMs: Math.max(0, ...asked),
  });
  if (!decision.retry) {
    const to = { status: 'failed', reason: decision.reason } as const;
    return end(execution, job, to, held, deps, made);
  }
  return retryAt(decision.startAtMs, { execution, job, failures, records, held }, deps);
}

/** Ends a claimed execution without a call. */
export const settleWithoutCall = (
  execution: Execution,
  job: Job | undefined,
  to: { status: 'skipped' | 'cancelled'; reason: Reason },
  held: LeaseHandle,
  deps: StageDeps,
): Promise<SettledStatus> => end(execution, job, to, held, deps);

const SEVERITY: readonly TargetResult['outcome'][] = ['accepted', 'succeeded', 'retriable', 'fatal'];

/** The answer that decides, whose body is kept as the result. */
const mostSevere = (answers: readonly TargetOutcome[]): TargetResult | undefined =>
  answers
    .map(({ result: answer }) => answer)
    .reduce<TargetResult | undefined>(
      (worst, answer) =>
        worst && SEVERITY.indexOf(worst.outcome) >= SEVERITY.indexOf(answer.outcome) ? worst : answer,
      undefined,
    );
