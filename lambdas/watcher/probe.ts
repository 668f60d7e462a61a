import { withTimeout } from '../core/async/with-timeout';
import { Metric } from '../core/contracts/metrics';
import { jobRefOf } from '../core/contracts/tables';
import { type Errand, ERRAND_RULES } from '../core/domain/errand';
import { endAwaitedSinceMs, hasArrived, isLostFromSight, isPressing } from '../core/domain/probes';
import type { OnErrand } from '../core/domain/lease';
import { keptText } from '../core/domain/target-result';
import type { Probed } from '../core/delivery/errands/errand-kind';
import type { WatcherDeps } from './deps';
import { askTogether, CALL_WITHIN_MS } from './ask';
import { leaseOf, loseErrand, loseSight, settleErrand } from './settle-errand';

/**
 * Asks the service once how the errands of some executions are. What has ended is settled. What runs, and
 * shall end, is stopped: its end is written once it has been seen. The sweeper repeats a probe that comes too
 * early, or gets no answer.
 *
 * @param executions of one project, with errands that one question may be about
 */
export async function probe(
  executions: readonly OnErrand[],
  deps: WatcherDeps,
): Promise<'done' | 'put-back'> {
  const [first] = executions;
  if (!first) return 'done';
  const nowMs = deps.clock.nowMs();
  if (!deps.probeBudget.take(first.delegatedTo.errand, nowMs)) {
    deps.meter.count(Metric.probesPutOff, executions.length);
    return executions.some((one) => isPressing(one, nowMs)) ? 'put-back' : 'done';
  }
  const errands = executions.map(({ delegatedTo }) => delegatedTo.errand);
  const seen = await askTogether(errands, jobRefOf(first.jobKey).userId, deps);
  await Promise.all(executions.map((execution, index) => take(execution, seen[index]!, deps)));
  return 'done';
}

async function take(execution: OnErrand, seen: Probed, deps: WatcherDeps): Promise<void> {
  const { jobKey, execId } = execution;
  const { errand } = execution.delegatedTo;
  switch (seen.state) {
    case 'ended':
      deps.meter.count(Metric.probeFound);
      return settleErrand(execution, execution.delegatedTo, seen.end, deps);
    case 'running':
      return letRun(execution, seen.id ?? errand.id, deps);
    case 'none':
      return missing(execution, deps);
    case 'unknown':
      if (seen.isThrottled) deps.probeBudget.throttled(errand, deps.clock.nowMs());
      deps.log.warn('an errand could not be probed', {
        ...{ jobKey, execId },
        ...{ name: errand.name, error: seen.error },
      });
      if (isLostFromSight(execution, deps.clock.nowMs())) await loseSight(execution, seen.error, deps);
      else await keepTrouble(execution, seen.error, deps);
  }
}

/** Shows why nothing is known of an errand. It is no sign of life: what counts from the last one goes on. */
async function keepTrouble(execution: OnErrand, error: string, deps: WatcherDeps): Promise<void> {
  const { delegatedTo, heartbeatAtMs = 0 } = execution;
  const trouble = troubleAfter(delegatedTo.errand, error, deps);
  if (trouble === delegatedTo.errand.trouble) return;
  const to = { ...delegatedTo, errand: { ...delegatedTo.errand, trouble } };
  await deps.executions.delegateLease(leaseOf(execution), to, heartbeatAtMs, []);
}

function troubleAfter({ trouble }: Errand, said: string, { clock }: WatcherDeps): Errand['trouble'] & object {
  const error = keptText(said, 'ofFailure');
  return trouble?.error === error ? trouble : { error, sinceMs: trouble?.sinceMs ?? clock.nowMs() };
}

/** Stops it if it shall end. One that no probe had seen before goes on as any other, under its id. */
async function letRun(execution: OnErrand, id: string | undefined, deps: WatcherDeps): Promise<void> {
  const { jobKey, execId, delegatedTo } = execution;
  const { userId } = jobRefOf(jobKey);
  const { unresolved, trouble: before, ...known } = delegatedTo.errand;
  const errand: Errand = { ...known, ...(id !== undefined && { id }) };
  const nowMs = deps.clock.nowMs();
  if (endAwaitedSinceMs(execution, nowMs) !== undefined) {
    const why = nowMs >= delegatedTo.endsAtMs ? 'its time is over' : 'its execution was cancelled';
    try {
      await withTimeout(
        CALL_WITHIN_MS,
        (signal) => deps.errandProbes.stop(errand, why, userId, signal),
        deps.clock,
      );
    } catch (error) {
      deps.log.warn('an errand could not be stopped', { jobKey, execId, name: errand.name, error });
      errand.trouble = troubleAfter(delegatedTo.errand, `not stopped: ${String(error)}`, deps);
    }
  }
  if (!unresolved && id === known.id && errand.trouble === before) return;
  await keepIdOf(errand, deps);
  await deps.executions.delegateLease(leaseOf(execution), { ...delegatedTo, errand }, nowMs, []);
}

/** Events of some kinds tell nothing but an id. An executor without an answer to its start knew none. */
async function keepIdOf({ type, name, resource, id }: Errand, { errands }: WatcherDeps): Promise<void> {
  const row = id !== undefined && ERRAND_RULES[type].isKnownById && (await errands.get(name));
  if (row) await errands.keepId({ resource, id }, name, row.expiresAtSec);
}

/**
 * A start without an answer may still arrive. One that has ended may be forgotten: then a user decides, by a
 * retry, that it runs again. Else, nothing ran.
 */
async function missing(execution: OnErrand, deps: WatcherDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (!hasArrived(execution, nowMs)) return;
  const error = 'the service knows no errand of this name';
  const { unresolved, again, type, firstStartAtMs } = execution.delegatedTo.errand;
  const neverRan = unresolved && (again || nowMs < firstStartAtMs + ERRAND_RULES[type].visibleForMs);
  if (neverRan) await loseErrand(execution, error, deps);
  else await loseSight(execution, error, deps);
}
