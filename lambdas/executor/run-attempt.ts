import type { TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import { jobRefOf } from '../core/contracts/tables';
import { recordsOf, type TargetOutcome } from '../core/domain/attempt-records';
import { settleAttempt, settleWithoutCall } from '../core/attempts/settle';
import { recordLateResult } from '../core/attempts/late-results';
import { keepRangeWhole } from '../core/ending/skip-ranges';
import type { TargetResult } from '../core/domain/target-result';
import { type Execution, isPlanned } from '../core/domain/execution';
import { type Job, targetsOf } from '../core/domain/job';
import { parseDuration } from '../core/schedule/duration';
import { reportingOf } from '../core/domain/target';
import { deliveryOf } from '../core/delivery/delivery';
import type { ExecutorDeps } from './deps';
import type { Claimed } from '../core/attempts/claim';
import type { KeptLease } from '../core/attempts/keep-lease';
import { skippedMeanwhile } from '../core/attempts/late-claim';
import { skippedBy, eligibilityOf } from '../core/domain/eligibility';

/**
 * Kept free at the end of an invocation for writing the result of an attempt that the deadline cuts short.
 */
const WRITE_MARGIN_MS = 10_000;

/** One attempt from the job's reading to the written result. Releases the lease's timers whatever happens. */
export async function runAttempt(
  { execution, handle }: Claimed,
  job: Job | undefined,
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<void> {
  const skippedAs = await skippedMeanwhile(execution, job, deps);
  const eligibility = skippedAs ? skippedBy(skippedAs) : eligibilityOf(execution, job);
  if (!eligibility.call) {
    if (isPlanned(execution.trigger)) await keepRangeWhole(execution, deps);
    const outcome = await settleWithoutCall({ execution, job, handle }, eligibility.end, deps);
    if (outcome === 'lease-lost') await loseResults(execution, [], handle, deps);
    return;
  }
  const startedAtMs = deps.clock.nowMs();
  const called = eligibility.job;
  const outcomes = await Promise.all(
    openTargets(execution, called).map(async (target) => ({
      target,
      result: await callWithin(execution, called, target, handle, deps, limits),
      startedAtMs,
    })),
  );
  const outcome = await settleAttempt({ execution, job: called, handle }, outcomes, deps);
  if (outcome === 'lease-lost') await loseResults(execution, outcomes, handle, deps);
}

/**
 * The lease was lost, so the result decides nothing. After a takeover, the target's response is kept as a
 * late result. If the lease merely expired, nothing is written.
 */
async function loseResults(
  execution: Execution,
  outcomes: readonly TargetOutcome[],
  handle: KeptLease,
  deps: ExecutorDeps,
): Promise<void> {
  const { jobKey, execId, attempt, fence } = execution;
  const by = handle.lostBy();
  deps.meter.count(Metric.leaseLost);
  deps.log.warn('lease lost, result discarded', { jobKey, execId, attempt, fence, by });
  if (by === 'expired') return;
  const responded = outcomes.filter(({ result }) => result.statusCode !== undefined);
  for (const result of recordsOf(execution, responded, deps.clock.nowMs()))
    await recordLateResult(execution, result, deps);
}

/** Indexes of the targets that have not succeeded yet. */
function openTargets(execution: Execution, job: Job): number[] {
  const done = execution.attempts
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(({ target }) => target);
  return [...targetsOf(job).keys()].filter((index) => !done.includes(index));
}

/** Calls the target within the smallest of its bounds: target, job, lease, invocation. */
async function callWithin(
  execution: Execution,
  job: Job,
  index: number,
  handle: KeptLease,
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<TargetResult> {
  const { clock } = deps;
  const target = targetsOf(job)[index]!;
  const named = job.targets ? index : undefined;
  const budgets = {
    ...(target.type === 'http' && { 'target timeout': parseDuration(target.timeout) }),
    'job timeout': parseDuration(job.timeout),
    'end of the invocation': limits.remainingMs() - WRITE_MARGIN_MS,
  };
  const [bound, budgetMs] = Object.entries(budgets).reduce((least, next) =>
    next[1] < least[1] ? next : least,
  );
  const done = new AbortController();
  const cut = new AbortController();
  const stop = AbortSignal.any([handle.signal, cut.signal]);
  const timer = clock.sleep(budgetMs, done.signal).then(() => {
    if (!done.signal.aborted) cut.abort();
  });
  try {
    const secrets = await deps.signingSecrets(jobRefOf(execution.jobKey).userId);
    const delivery = deliveryOf(execution, job, {
      secrets,
      nowMs: clock.nowMs(),
      traceId: hexId(deps, 32),
      spanId: hexId(deps, 16),
      reportBy: reportingOf(target).mode === 'async' ? await deps.reportBy(handle.lease, named) : undefined,
      target: named,
    });
    // Asked of the clock, not of a timer: after a freeze the timers may not have fired yet.
    if (handle.lostBy() || stop.aborted)
      return { outcome: 'retriable', error: `not called: ${bound} reached` };
    const answer = await deps.call(target, delivery, stop);
    const isLastWord = answer.outcome === 'succeeded' || answer.outcome === 'accepted';
    if (!cut.signal.aborted || isLastWord) return answer;
    return { outcome: 'retriable', error: `timed out after ${budgetMs} ms (${bound})` };
  } finally {
    done.abort();
    await timer;
  }
}

/** Lower-case hex digits; the first is never 0, because a trace id of zeros alone is not one. */
function hexId({ random }: Pick<ExecutorDeps, 'random'>, digits: number): string {
  const digit = (least: number) => (least + Math.floor(random.fraction() * (16 - least))).toString(16);
  return digit(1) + Array.from({ length: digits - 1 }, () => digit(0)).join('');
}
