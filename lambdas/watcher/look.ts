import { withTimeout } from '../core/async/with-timeout';
import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { jobRefOf } from '../core/contracts/tables';
import type { Seen } from '../core/delivery/errands/errand-kind';
import { endAwaitedSinceMs, hasArrived, isLostFromSight, isPressing } from '../core/domain/looks';
import { isOnErrand, type OnErrand } from '../core/domain/lease';
import type { ExecutionRef } from '../core/store/execution-store';
import type { WatcherDeps } from './deps';
import { leaseOf, loseErrand, loseSight, settleErrand } from './settle-errand';

const CALL_WITHIN_MS = 5 * SECOND_MS;

/**
 * Asks the service how the errand of an execution is. What has ended is settled. What runs, and shall end, is
 * stopped: its end is written once it has been seen. A look that comes too early, or that nobody answers, is
 * repeated by the sweeper.
 */
export async function look(ref: ExecutionRef, deps: WatcherDeps): Promise<'done' | 'put-back'> {
  const execution = await deps.executions.get(ref);
  if (!execution || !isOnErrand(execution)) return 'done';
  const { errand } = execution.delegatedTo;
  if (!deps.lookBudget.take(errand, deps.clock.nowMs())) {
    deps.meter.count(Metric.looksPutOff);
    return isPressing(execution, deps.clock.nowMs()) ? 'put-back' : 'done';
  }
  const seen = await ask(execution, deps);
  switch (seen.state) {
    case 'ended':
      deps.meter.count(Metric.lookFound);
      await settleErrand(execution, execution.delegatedTo, seen.end, deps);
      return 'done';
    case 'running':
      await letRun(execution, deps);
      return 'done';
    case 'none':
      await missing(execution, deps);
      return 'done';
    case 'unknown':
      if (seen.isThrottled) deps.lookBudget.throttled(errand, deps.clock.nowMs());
      deps.log.warn('an errand could not be looked at', { ...ref, name: errand.name, error: seen.error });
      if (isLostFromSight(execution, deps.clock.nowMs())) await loseSight(execution, seen.error, deps);
      return 'done';
  }
}

async function ask(execution: OnErrand, { errandLooks, clock }: WatcherDeps): Promise<Seen> {
  const { userId } = jobRefOf(execution.jobKey);
  const { errand } = execution.delegatedTo;
  try {
    return await withTimeout(CALL_WITHIN_MS, (signal) => errandLooks.look(errand, userId, signal), clock);
  } catch (error) {
    return { state: 'unknown', error: String(error) };
  }
}

/** Stops it if it shall end. One that nobody had seen before goes on as any other. */
async function letRun(execution: OnErrand, deps: WatcherDeps): Promise<void> {
  const { jobKey, execId, delegatedTo } = execution;
  const { userId } = jobRefOf(jobKey);
  const { unresolved, ...errand } = delegatedTo.errand;
  const nowMs = deps.clock.nowMs();
  if (endAwaitedSinceMs(execution, nowMs) !== undefined) {
    const why = nowMs >= delegatedTo.endsAtMs ? 'its time is over' : 'its execution was cancelled';
    try {
      await withTimeout(
        CALL_WITHIN_MS,
        (signal) => deps.errandLooks.stop(errand, why, userId, signal),
        deps.clock,
      );
    } catch (error) {
      deps.log.warn('an errand could not be stopped', { jobKey, execId, name: errand.name, error });
    }
  }
  if (!unresolved) return;
  await deps.executions.delegateLease(leaseOf(execution), { ...delegatedTo, errand }, nowMs, []);
}

/** A start that got no answer may still arrive. One that has arrived, and is gone, leaves no trace of its end. */
async function missing(execution: OnErrand, deps: WatcherDeps): Promise<void> {
  if (!hasArrived(execution, deps.clock.nowMs())) return;
  const error = 'the service knows no errand of this name';
  if (execution.delegatedTo.errand.unresolved) await loseErrand(execution, error, deps);
  else await loseSight(execution, error, deps);
}
