import { MESSAGE_VERSION } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import type { Entry } from '../core/domain/entry';
import { isPressing, probesAround, pressingProbeAfter } from '../core/domain/probes';
import type { OnErrand } from '../core/domain/lease';
import { limitEntry } from '../core/queue/attempt-entries';
import type { SweeperDeps } from './recheck';

/**
 * Orders a probe of an errand, if one is due. Its lease is not taken over: only an end that has been seen
 * makes room for another attempt. Order of writes: the entry of the next probe → the request. So a request
 * that is lost, or that the budget does not allow, costs nothing but time.
 */
export async function recheckErrand(entry: Entry, execution: OnErrand, deps: SweeperDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const { errand, endsAtMs } = execution.delegatedTo;
  const presses = isPressing(execution, nowMs);
  const { lastAtMs, nextAtMs } = probesAround(errand, nowMs);
  const nextMs = presses ? pressingProbeAfter(nowMs) : Math.min(nextAtMs, endsAtMs);
  await deps.schedule.putEntries([await limitEntry(execution, nextMs, deps)]);
  const isDue = presses || (lastAtMs !== undefined && lastAtMs >= entry.checkAtMs);
  if (!isDue) return;
  const { jobKey, execId } = execution;
  if (!presses && !deps.probes.mayProbe(errand, nowMs)) {
    deps.meter.count(Metric.probesPutOff);
    return;
  }
  try {
    await deps.probes.order({ v: MESSAGE_VERSION, probe: { jobKey, execId } });
  } catch (error) {
    deps.log.error('a probe is left to the next recheck', error, { jobKey, execId });
  }
}
