import type { ErrandEventMessage } from '../core/contracts/messages';
import { attemptRecord } from '../core/domain/attempt-records';
import { errandsOf, type Execution } from '../core/domain/execution';
import { recordLateResult } from '../core/attempts/late-results';
import { jobRefOf } from '../core/contracts/tables';
import { parseDuration } from '../core/schedule/duration';
import type { ErrandEvent } from '../core/delivery/errands/errand-kind';
import type { ErrandRow } from '../core/store/errand-store';
import type { WatcherDeps } from './deps';
import { settleErrand } from './settle-errand';

/**
 * Settles the execution whose errand has ended, if it still waits for that very errand. Its lease may not be
 * delegated yet: then the executor learns from its own write that the end came first. An execution that waits
 * for another attempt is left alone: that attempt probes for the errand.
 */
export async function takeEvent(message: ErrandEventMessage, deps: WatcherDeps): Promise<'done'> {
  const event = await deps.errandProbes.ofEvent(message);
  const row = event && (await deps.errands.get(event.name));
  if (!row || row.type !== event.type || row.resource !== event.resource) return 'done';
  const execution = await deps.executions.get(row);
  if (!execution || errandsOf(execution) !== row.count || execution.openErrand === undefined) return 'done';
  if (execution.status === 'running')
    await settleErrand(execution, await leaseIn(execution, row, deps), event.end, deps);
  else if (execution.reason === 'lost-sight') await appendLate(execution, event, deps);
  return 'done';
}

async function leaseIn(
  { jobKey, delegatedTo }: Execution,
  row: ErrandRow,
  deps: WatcherDeps,
): Promise<Parameters<typeof settleErrand>[1]> {
  if (delegatedTo?.errand) return { ...delegatedTo, errand: delegatedTo.errand };
  const job = await deps.jobs.get(jobRefOf(jobKey));
  const endsAtMs = job ? row.firstStartAtMs + parseDuration(job.timeout) : Number.POSITIVE_INFINITY;
  return { endsAtMs, errand: { ...(row.lostSightAtMs !== undefined && { again: true }) } };
}

/** An end that comes after all: the execution has ended without it. */
async function appendLate(execution: Execution, { end }: ErrandEvent, deps: WatcherDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const outcome = end.how === 'succeeded' ? ('succeeded' as const) : ('retriable' as const);
  const record = attemptRecord(execution, { outcome, error: end.error }, nowMs, nowMs);
  await recordLateResult(execution, record, deps);
}
