import type { TimeBudget } from '../core/async/time-budget';
import { TimeoutError, withTimeout } from '../core/async/with-timeout';
import type { KeptLease } from '../core/attempts/keep-lease';
import { SECOND_MS } from '../core/clock/clock';
import { jobRefOf } from '../core/contracts/tables';
import { deliveryOf } from '../core/delivery/delivery';
import type { Execution } from '../core/domain/execution';
import { type Job, targetsOf } from '../core/domain/job';
import { ownLimitMs } from '../core/domain/long-call';
import { signingHostOf } from '../core/domain/signing-host';
import { secretNameIn } from '../core/domain/secret-reference';
import { reportingOf, type Target } from '../core/domain/target';
import { sentSecretNamesOf } from '../core/domain/target-secrets';
import { abortedCall, inPhase, type TargetResult } from '../core/domain/target-result';
import { parseDuration } from '../core/schedule/duration';
import type { ExecutorDeps } from './deps';

/**
 * Kept free at the end of an invocation for writing the result of an attempt that the deadline cuts short.
 */
export const WRITE_MARGIN_MS = 10 * SECOND_MS;
/** An aborted call has this long to settle, then it is left behind. Lease and `WRITE_MARGIN_MS` allow it. */
const SETTLE_WITHIN_MS = SECOND_MS;

type CallDeps = Pick<
  ExecutorDeps,
  'call' | 'clock' | 'log' | 'reportBy' | 'traceHeaders' | 'secretUrl' | 'signingSecrets'
>;

/** A claimed execution that is to be delivered. `of`: the same, or of a task its run. */
interface Delivering {
  execution: Execution;
  of: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'trace'>;
  job: Job;
  handle: Pick<KeptLease, 'lease' | 'lostBy' | 'signal'>;
}

/** The smallest of the bounds of a call has passed. */
class BoundReachedError extends TimeoutError {}
/** A call has not settled after its abort. */
class LeftBehindError extends TimeoutError {}

/**
 * Calls a target within the smallest of its bounds: target, job, lease, invocation. Settles at most a second
 * after that bound, whatever the client library of the target does: it races its own abort.
 *
 * @param index of the target
 */
export async function callWithin(
  delivering: Delivering,
  index: number,
  deps: CallDeps,
  limits: TimeBudget,
): Promise<TargetResult> {
  const { job, handle } = delivering;
  const { bound, budgetMs } = smallestBound(job, targetsOf(job)[index]!, limits);
  const error = () => new BoundReachedError(`timed out after ${budgetMs} ms (${bound})`);
  const notCalled = (): TargetResult => ({ outcome: 'retriable', error: `not called: ${bound} reached` });
  let calling: Promise<TargetResult> | undefined;
  const start = (signal: AbortSignal) => {
    calling = deliver(delivering, index, notCalled, signal, deps);
    return calling;
  };
  try {
    return await withTimeout(budgetMs, start, deps.clock, { signal: handle.signal, error });
  } catch (reason) {
    if (!calling) return notCalled();
    const result = await afterAbort(calling, delivering, index, deps);
    const isLastWord = result.outcome === 'succeeded' || result.outcome === 'accepted';
    if (isLastWord || !(reason instanceof BoundReachedError)) return result;
    return { outcome: 'retriable', error: reason.message + inPhase(result.phase) };
  }
}

function smallestBound(job: Job, target: Target, limits: TimeBudget): { bound: string; budgetMs: number } {
  const ownMs = ownLimitMs(target);
  const budgets = {
    ...(ownMs !== undefined && { 'target timeout': ownMs }),
    'job timeout': parseDuration(job.timeout),
    'end of the invocation': limits.remainingMs() - WRITE_MARGIN_MS,
  };
  const [bound, budgetMs] = Object.entries(budgets).reduce((least, next) =>
    next[1] < least[1] ? next : least,
  );
  return { bound, budgetMs };
}

async function deliver(
  { execution, of, job, handle }: Delivering,
  index: number,
  notCalled: () => TargetResult,
  signal: AbortSignal,
  deps: CallDeps,
): Promise<TargetResult> {
  const target = targetsOf(job)[index]!;
  const named = job.targets ? index : undefined;
  const { userId } = jobRefOf(execution.jobKey);
  const host = await hostOf(target, userId, deps);
  const { mode, observe: isObserver = false } = reportingOf(target);
  const by = { target: named, secretNames: sentSecretNamesOf(target), isObserver };
  const delivery = deliveryOf(execution, job, {
    secrets: host === undefined ? undefined : await deps.signingSecrets(userId, host),
    nowMs: deps.clock.nowMs(),
    dueAtMs: of.dueAtMs,
    trace: await deps.traceHeaders(execution, of, index),
    reportBy: mode === 'async' || isObserver ? await deps.reportBy(handle.lease, by) : undefined,
    target: named,
  });
  // Asked of the clock, not of a timer: after a freeze the timers may not have fired yet.
  if (handle.lostBy() || signal.aborted) return notCalled();
  return deps.call(target, delivery, signal);
}

/**
 * The host whose secret signs the delivery. Without one, nothing is sent: the URL breaks the rules, or the
 * secret that is the URL is missing.
 */
async function hostOf(
  target: Target,
  userId: string,
  { secretUrl }: Pick<CallDeps, 'secretUrl'>,
): Promise<string | undefined> {
  if (target.type !== 'http') return undefined;
  const name = secretNameIn(target.url);
  const url = name === undefined ? target.url : await secretUrl(userId, name);
  return url === undefined ? undefined : signingHostOf(url);
}

/**
 * The result of a call that was aborted. A call that does not settle is left behind and logged. Throws what
 * the call throws.
 */
async function afterAbort(
  calling: Promise<TargetResult>,
  { execution, job }: Delivering,
  index: number,
  { clock, log }: CallDeps,
): Promise<TargetResult> {
  const { jobKey, execId, attempt, fence } = execution;
  const call = { jobKey, execId, attempt, fence, target: index, targetType: targetsOf(job)[index]!.type };
  try {
    return await withTimeout(SETTLE_WITHIN_MS, () => calling, clock, {
      error: () => new LeftBehindError(),
      onLate: (late) => {
        const outcome = late.status === 'fulfilled' ? late.value.outcome : String(late.reason);
        log.warn('call that was left behind has settled', { ...call, outcome });
      },
    });
  } catch (error) {
    if (!(error instanceof LeftBehindError)) throw error;
    log.warn('call left behind: it did not settle after its abort', call);
    return abortedCall();
  }
}
