import { MINUTE_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { ensureNextEntry } from '../core/dispatch/next-entry';
import type { StageDeps } from '../core/deps';
import { resendSilentFirst, queuePositionOf } from '../core/gates/ordering-queue';
import { slotStateOf } from '../core/gates/concurrency-key';
import { waitsForOverlapLock } from '../core/gates/overlap';
import type { Entry } from '../core/domain/entry';
import type { Job } from '../core/domain/job';
import { longCallOf } from '../core/domain/long-call';
import type { ExecutionRef } from '../core/store/execution-store';
import { isLongest, type NextRecheck, type RecheckContext, RECHECK_SOON, recheckLater } from './recheck';

/**
 * An executor claims what it has received well before the second recheck, 20 s later; otherwise it has died,
 * or has received other messages.
 */
const IN_FLIGHT_FOR_RECHECKS = 1;
/** How often an entry is filed again in maintenance mode: its message goes out that soon after its end. */
const WHILE_IN_MAINTENANCE_MS = MINUTE_MS;

/** The first unclaimed execution of an entry. */
export interface Unclaimed extends ExecutionRef {
  dueAtMs: number;
  askedAtMs?: number;
  orderingKey?: string;
  concurrencyKey?: string;
}

/**
 * Sends an unclaimed execution again, unless its queue is merely long or a gate is closed. In that case it
 * only ensures the next entry, and the pause doubles from 20 s to 10 min. At 10 min the message goes out at
 * each recheck, so that a queue that is never empty cannot hide a lost message for ever. If all messages are
 * in flight at two rechecks, this one does not wait: it is lost, or an executor has died with it.
 *
 * @param send `lost`: to decide the entry as one found late; `long`: to send its message alone
 */
export async function resend(
  { entry, job, unclaimed }: { entry: Entry; job: Job; unclaimed: Unclaimed },
  context: RecheckContext,
  send: (why: 'lost' | 'long') => Promise<void>,
): Promise<NextRecheck> {
  const rechecks = entry.rechecks ?? 0;
  if (await context.deps.inMaintenance()) return { pauseMs: WHILE_IN_MAINTENANCE_MS, rechecks };
  const gateState = await gateStateOf(unclaimed, job, context.deps);
  const backlog = gateState === 'wait' ? 'waiting' : await context.backlogOf({ ...job, ...longCallOf(job) });
  const hasWaited = entry.hasWaited || gateState === 'came' || backlog === 'waiting';
  const marked = (next: NextRecheck): NextRecheck => ({ ...next, ...(hasWaited && { hasWaited }) });
  const later = marked(recheckLater(entry));
  const mayBeReceived = backlog === 'in-flight' && rechecks < IN_FLIGHT_FOR_RECHECKS;
  const isLong = backlog === 'waiting' || backlog === 'unknown' || mayBeReceived;
  // It is late because it waited, at a gate or in a long queue. So no misfire policy applies.
  const why = isLong || hasWaited ? 'long' : 'lost';
  // Its message may be of an earlier revision, and says nothing of the series of this one.
  if (why === 'long' && entry.kind === 'occurrence') await ensureNextEntry(entry, job, context.deps);
  if (mayBeReceived || (backlog === 'waiting' && !isLongest(later))) return later;
  await send(why);
  context.deps.meter.count(Metric.resent);
  return backlog === 'none' ? marked(RECHECK_SOON) : later;
}

/**
 * `wait`: an execution of its ordering key or of its job is ahead, or its concurrency key has no free slot.
 * An end wakes it. `came`: it has waited, and is the first now, or it has passed the gate.
 */
async function gateStateOf(
  { orderingKey, concurrencyKey, ...ref }: Unclaimed,
  job: Job,
  deps: StageDeps,
): Promise<'wait' | 'came' | 'none'> {
  if (orderingKey !== undefined) {
    const position = await queuePositionOf({ ...ref, orderingKey }, deps);
    await resendSilentFirst(position, orderingKey, deps);
    if (position.at === 'behind') return 'wait';
    if (position.at === 'first') return 'came';
  }
  // Behind a backfilled execution, one waits under `skip` too.
  if (job.overlap !== 'allow') {
    if (await waitsForOverlapLock(ref.jobKey, ref.execId, deps)) return 'wait';
    if ((await deps.overlapLocks.get(ref.jobKey)).holder === ref.execId) return 'came';
  }
  return concurrencyKey === undefined ? 'none' : slotStateOf({ ...ref, concurrencyKey }, deps);
}
