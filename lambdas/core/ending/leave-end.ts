import { errandNameOf } from '../delivery/errands/errand-name';
import type { EndOnErrand, StageDeps } from '../deps';
import { recheckEntryNow } from '../queue/attempt-entries';
import { errandIn } from '../store/errand-store';

/**
 * Leaves the end of an execution to the watcher, if an errand of it may run. The watcher finds it, stops it,
 * and writes the end once it has seen it stopped. Without the row of an errand, nothing was started. Order of
 * writes: the entry of a recheck, which orders probes → the lease of the watcher.
 *
 * @returns whether the end was left. It was if another process has changed the execution meanwhile
 */
export async function leaveEnd({ execution, end, isStale }: EndOnErrand, deps: StageDeps): Promise<boolean> {
  const name = errandNameOf(execution);
  const row = name === undefined ? undefined : await deps.errands.get(name);
  if (!row) return false;
  await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
  const nowMs = deps.clock.nowMs();
  const { status, reason, records = [], detail, userRequest } = end;
  const endsAs = { status, ...(reason !== undefined && { reason }) };
  const id = execution.delegatedTo?.errand?.id ?? row.id;
  const known = { ...errandIn(row), ...(id !== undefined && { id }) };
  const errand = { ...known, unresolved: true as const, endsAs };
  await deps.executions.leaveToErrand(execution, {
    claimId: deps.random.id(),
    delegatedTo: { heartbeatWithinMs: 1, endsAtMs: nowMs, errand },
    nowMs,
    records,
    isStale,
    detail,
    userRequest,
  });
  return true;
}
