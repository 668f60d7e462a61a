import type { ErrandEventMessage } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import { attemptRecord } from '../core/domain/attempt-records';
import { errandsOf, type Execution } from '../core/domain/execution';
import { recordLateResult } from '../core/attempts/late-results';
import { jobRefOf } from '../core/contracts/tables';
import { parseDuration } from '../core/schedule/duration';
import type { KnownEvent } from '../core/delivery/errands/errand-calls';
import type { ErrandEnd, ErrandEvent } from '../core/delivery/errands/errand-kind';
import { ERRAND_RULES } from '../core/domain/errand';
import { errandIn, type ErrandRow } from '../core/store/errand-store';
import { ask } from './ask';
import type { WatcherDeps } from './deps';
import { settleErrand } from './settle-errand';

/**
 * Settles the execution whose errand has ended, if it still waits for that very errand. Its lease may not be
 * delegated yet: then the executor learns from its own write that the end came first. An execution that waits
 * for another attempt is left alone: that attempt probes for the errand.
 */
export async function takeEvent(
  message: ErrandEventMessage,
  deps: WatcherDeps,
): Promise<'done' | 'put-back'> {
  const event = await deps.errandProbes.ofEvent(message);
  const row = event && (await rowOf(event, deps));
  if (!row || row.type !== event.type || !event.isOf(row.resource)) return 'done';
  const execution = await deps.executions.get(row);
  if (!execution || errandsOf(execution) !== row.count || execution.openErrand === undefined) return 'done';
  if (isOfCopy(event, execution)) return 'done';
  if (execution.status === 'running') {
    const isWhole = !event.isBrief && !event.mayTellMore;
    const end = isWhole ? event.end : await wholeEnd(event, row, deps);
    if (!end) return 'put-back';
    await settleErrand(execution, await leaseIn(execution, { row, id: event.id }, deps), end, deps);
    recordLag(message, deps);
  } else if (execution.reason === 'lost-sight') await appendLate(execution, event, deps);
  return 'done';
}

/** How long the end of an errand took to be on record. Services tell its time in seconds. */
function recordLag({ time = '' }: ErrandEventMessage, { meter, clock }: WatcherDeps): void {
  const atMs = Date.parse(time);
  if (!Number.isNaN(atMs)) meter.record(Metric.errandLagMs, Math.max(0, clock.nowMs() - atMs));
}

async function rowOf(
  { name, resource, id }: ErrandEvent,
  { errands }: WatcherDeps,
): Promise<ErrandRow | undefined> {
  if (name !== undefined) return errands.get(name);
  return id === undefined ? undefined : errands.getById({ resource, id });
}

/** Someone may have started a copy of the work at its service, which has the same name. */
function isOfCopy({ type, id }: KnownEvent, { delegatedTo }: Execution): boolean {
  const known = delegatedTo?.errand?.id;
  return ERRAND_RULES[type].hasCopies === true && known !== undefined && id !== undefined && id !== known;
}

/**
 * Its end with the output or the error, which its event lacks. If its service does not say, the event stands.
 * Undefined: it says so later, and the event is too brief.
 */
async function wholeEnd(
  { id, end, isBrief }: ErrandEvent,
  row: ErrandRow,
  deps: WatcherDeps,
): Promise<ErrandEnd | undefined> {
  const errand = { ...errandIn(row), ...(id !== undefined && { id }) };
  const seen = await ask(errand, row, deps);
  if (seen.state === 'ended') return seen.end;
  if (seen.state !== 'unknown' || !seen.isThrottled) return end;
  deps.probeBudget.throttled(errand, deps.clock.nowMs());
  return isBrief ? undefined : end;
}

async function leaseIn(
  { jobKey, delegatedTo }: Execution,
  { row, id }: { row: ErrandRow; id: string | undefined },
  deps: WatcherDeps,
): Promise<Parameters<typeof settleErrand>[1]> {
  if (delegatedTo?.errand) return { ...delegatedTo, errand: delegatedTo.errand };
  const job = await deps.jobs.get(jobRefOf(jobKey));
  const endsAtMs = job ? row.firstStartAtMs + parseDuration(job.timeout) : Number.POSITIVE_INFINITY;
  const again = row.lostSightAtMs !== undefined && { again: true as const };
  return { endsAtMs, errand: { ...errandIn(row), ...(id !== undefined && { id }), ...again } };
}

/** An end that comes after all: the execution has ended without it. */
async function appendLate(execution: Execution, { end }: ErrandEvent, deps: WatcherDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const outcome = end.how === 'succeeded' ? ('succeeded' as const) : ('retriable' as const);
  const record = attemptRecord(execution, { outcome, error: end.error }, nowMs, nowMs);
  await recordLateResult(execution, record, deps);
}
