import { Metric } from '../core/contracts/metrics';
import { jobRefOf } from '../core/contracts/tables';
import { recordsOf, type TargetOutcome } from '../core/domain/attempt-records';
import { settleAttempt, settleWithoutCall } from '../core/attempts/settle';
import { recordLateResult } from '../core/attempts/late-results';
import { restoreRangeTail } from '../core/history/skip-ranges';
import type { TargetResult } from '../core/domain/target-result';
import type { Execution } from '../core/domain/execution';
import { type Job, targetsOf } from '../core/domain/job';
import { parseDuration } from '../core/schedule/duration';
import { reportingOf } from '../core/domain/target';
import { deliveryOf } from '../core/delivery/delivery';
import type { ExecutorDeps, ExecutorLimits } from './deps';
import type { KeptLease } from '../core/attempts/keep-lease';
import { skippedMeanwhile } from '../core/attempts/late-claim';
import { skippedBy, eligibilityOf } from '../core/domain/eligibility';

/** Kept free at the end of an invocation for writing the result of an attempt that the deadline cuts short. */
const WRITE_MARGIN_MS = 10_000;

/** A claimed execution with its lease and the message that led to it. */
export interface Claimed {
  execution: Execution;
  held: KeptLease;
  revision: string;
}

/** One attempt from the job's reading to the written result. Releases the lease's timers whatever happens. */
export async function runAttempt(
  { execution, held, revision }: Claimed,
  job: Job | undefined,
  deps: ExecutorDeps,
  limits: ExecutorLimits,
): Promise<void> {
  const skippedAs = await skippedMeanwhile(execution, job, deps);
  const verdict = skippedAs ? skippedBy(skippedAs) : eligibilityOf(execution, job, revision);
  if (!verdict.call) {
    const outcome = await settleWithoutCall(execution, job, verdict.end, held, deps);
    if (verdict.end.status === 'skipped') await restoreRangeTail(execution, deps);
    if (outcome === 'lease-lost') await loseResults(execution, [], held, deps);
    return;
  }
  const startedAtMs = deps.clock.nowMs();
  const called = verdict.job;
  const answers = await Promise.all(
    openTargets(execution, called).map(async (target) => ({
      target,
      result: await callWithin(execution, called, target, held, deps, limits),
      startedAtMs,
    })),
  );
  const outcome = await settleAttempt(execution, called, answers, held, deps);
  if (outcome === 'lease-lost') await loseResults(execution, answers, held, deps);
}

/**
 * The lease was lost, so the result decides nothing. Whoever was taken over says what the target answered; whoever could
 * not keep the lease up writes nothing at all.
 */
async function loseResults(
  execution: Execution,
  answers: readonly TargetOutcome[],
  held: KeptLease,
  deps: ExecutorDeps,
): Promise<void> {
  const { jobKey, execId, attempt, fence } = execution;
  const by = held.lostBy();
  deps.meter.count(Metric.leaseLost);
  deps.log.warn('lease lost, result discarded', { jobKey, execId, attempt, fence, by });
  if (by === 'expired') return;
  const spoken = answers.filter(({ result: answer }) => answer.statusCode !== undefined);
  for (const result of recordsOf(execution, spoken, deps.clock.nowMs()))
    await recordLateResult(execution, result, deps);
}

/** Places of the targets that have not yet succeeded. */
function openTargets(execution: Execution, job: Job): number[] {
  const done = execution.attempts
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(({ target }) => target);
  return [...targetsOf(job).keys()].filter((place) => !done.includes(place));
}

/** Calls the target within the smallest of its bounds: target, job, lease, invocation. */
async function callWithin(
  execution: Execution,
  job: Job,
  place: number,
  held: KeptLease,
  deps: ExecutorDeps,
  limits: ExecutorLimits,
): Promise<TargetResult> {
  const { clock } = deps;
  const target = targetsOf(job)[place]!;
  const named = job.targets ? place : undefined;
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
  const stop = AbortSignal.any([held.signal, cut.signal]);
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
      reportBy: reportingOf(target).mode === 'async' ? await deps.reportBy(held.lease, named) : undefined,
      target: named,
    });
    // Asked of the clock, not of a timer: after a freeze the timers may not have fired yet.
    if (held.lostBy() || stop.aborted) return { outcome: 'retriable', error: `not called: ${bound} reached` };
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
