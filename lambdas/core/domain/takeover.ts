import { ageSinceMs, type AttemptRecord, type Execution } from './execution';
import type { Reason } from './reason';
import type { Job } from './job';
import { isPastItsTime, MAX_TAKEOVERS } from './lease';
import { decideRetry } from './retry-policy';

/** What a takeover makes of an execution: another attempt, or its end. */
export type Takeover =
  | { decision: 'retry'; startAtMs: number; failures: number; takeovers: number }
  | { decision: 'end'; status: 'failed' | 'cancelled'; reason: Reason };

/**
 * Decides on an execution whose lease is stale. A lost executor does not use up the user's retries; five in a
 * row end the execution as `crashed`. Nor does a lost worker. Any other delegated lease that expired is a
 * failed attempt, and follows the retry policy. So is an attempt of a worker that has used up its time, and
 * one of which a target has reported a failure. Without a job there is no policy, and a failure is the end.
 *
 * @param fraction in [0, 1): the jitter of the next attempt
 */
export function decideTakeover(
  execution: Pick<
    Execution,
    | 'failures'
    | 'takeovers'
    | 'dueAtMs'
    | 'askedAtMs'
    | 'delegatedTo'
    | 'cancelRequested'
    | 'attempts'
    | 'fence'
    | 'heartbeatAtMs'
  >,
  job: Pick<Job, 'retry'> | undefined,
  at: { nowMs: number; fraction: () => number },
): Takeover {
  const { failures, takeovers, delegatedTo, cancelRequested } = execution;
  if (cancelRequested) return { decision: 'end', status: 'cancelled', reason: cancelRequested.reason };
  // The ping URL of a deleted job is unknown: no end could come.
  if (delegatedTo?.byPing && !job) return { decision: 'end', status: 'cancelled', reason: 'deleted' };
  if (delegatedTo?.byPing) return { decision: 'end', status: 'failed', reason: 'timed-out' };
  const reported = execution.attempts.filter(({ fence }) => fence === execution.fence);
  if (reported.some(({ outcome }) => outcome === 'fatal'))
    return { decision: 'end', status: 'failed', reason: 'fatal' };
  const isTimedOut = delegatedTo !== undefined && (!delegatedTo.toWorker || isPastItsTime(execution));
  const hasFailed = isTimedOut || reported.some(({ outcome }) => outcome === 'retriable');
  if (hasFailed) {
    // Once restored, the job would begin to count its failures behind this one.
    if (!job) return { decision: 'end', status: 'cancelled', reason: 'deleted' };
    const decision = decideRetry(job.retry, {
      failures: failures + 1,
      dueAtMs: ageSinceMs(execution),
      nowMs: at.nowMs,
      fraction: at.fraction(),
    });
    if (!decision.retry) return { decision: 'end', status: 'failed', reason: decision.reason };
    return { decision: 'retry', startAtMs: decision.startAtMs, failures: failures + 1, takeovers: 0 };
  }
  if (takeovers + 1 >= MAX_TAKEOVERS) return { decision: 'end', status: 'failed', reason: 'crashed' };
  return { decision: 'retry', startAtMs: at.nowMs, failures, takeovers: takeovers + 1 };
}

/**
 * The records of an attempt that was lost: one for each target that it was still waiting for. Its job may
 * have fewer targets by now, or be deleted. So those on record count too. If all of these have succeeded, it
 * was waiting for another one: with its success the execution would have ended.
 */
export function lostRecords(
  execution: Execution,
  job: Pick<Job, 'targets'> | undefined,
  nowMs: number,
): AttemptRecord[] {
  const { attempt, fence, claimedAtMs = nowMs, heartbeatAtMs = 0, delegatedTo, worker } = execution;
  const isTimedOut =
    delegatedTo !== undefined &&
    (delegatedTo.toWorker ? isPastItsTime(execution) : nowMs > delegatedTo.endsAtMs);
  const settled = execution.attempts.filter((one) => one.fence === fence || one.outcome === 'succeeded');
  const all = delegatedTo?.targets ?? knownTargets(execution, job);
  const open = all.filter((index) => !settled.some(({ target }) => target === index));
  const isOnRecord = execution.attempts.some((one) => one.fence === fence);
  const lost = open.length > 0 || isOnRecord ? open : [all.length];
  const record: Omit<AttemptRecord, 'target'> = {
    attempt,
    fence,
    startedAtMs: claimedAtMs,
    finishedAtMs: nowMs,
    outcome: isTimedOut ? 'retriable' : 'lost',
    error: isTimedOut
      ? `timed out after ${delegatedTo.endsAtMs - claimedAtMs} ms (job timeout)`
      : `no heartbeat since ${new Date(heartbeatAtMs).toISOString()}`,
    ...(worker !== undefined && { worker }),
    ...(isTimedOut && delegatedTo.toWorker && heartbeatAtMs <= claimedAtMs && { unheard: true as const }),
  };
  return lost.map((target) => ({ ...record, target }));
}

function knownTargets({ attempts }: Execution, job: Pick<Job, 'targets'> | undefined): number[] {
  const count = Math.max(job?.targets?.length ?? 1, ...attempts.map(({ target }) => target + 1));
  return Array.from({ length: count }, (_, target) => target);
}
