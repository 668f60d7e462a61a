import { MINUTE_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { ensureNextEntry } from '../core/dispatch/next-entry';
import type { StageDeps } from '../core/deps';
import { resendSilentHead, queuePositionOf } from '../core/gates/ordering-queue';
import { waitsForOverlapLock } from '../core/gates/overlap';
import type { Entry } from '../core/domain/entry';
import type { Job } from '../core/domain/job';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import type { ExecutionRef } from '../core/store/execution-store';
import { type NextRecheck, type RecheckContext, RECHECK_SOON } from './recheck';

const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** Work that is in an executor's hand is claimed well before its third look, a minute later, or its executor has died. */
const IN_HAND_FOR_WAITS = 2;
/** How often work is filed again that nobody may send: it goes out that soon after the start. */
const WHILE_IN_MAINTENANCE_MS = MINUTE_MS;

/** Work that nobody has claimed: the first of an entry's executions for which that is so. */
export interface Unclaimed extends ExecutionRef {
  dueAtMs: number;
  orderingKey?: string;
}

/**
 * Work that nobody has claimed: sent once more, unless its queue is merely long or its turn has not come. Then the next entry alone is made sure
 * of and the pause doubles, from 20 s to 10 min; at 10 min the message goes out at each look all the same, so that a
 * queue that is never empty cannot hide a lost message for ever. Where nothing waits in the queue and all of it is in
 * executors' hands, that takes no longer than a minute: then one of them has died with it.
 */
export async function resend(
  { entry, job, unclaimed }: { entry: Entry; job: Job; unclaimed: Unclaimed },
  look: RecheckContext,
  send: (why: 'lost' | 'long') => Promise<void>,
): Promise<NextRecheck> {
  const waits = entry.rechecks ?? 0;
  if (await look.deps.inMaintenance()) return { pauseMs: WHILE_IN_MAINTENANCE_MS, waits };
  const pauseMs = Math.min(LONGEST_PAUSE_MS, RECHECK_AFTER_MS * 2 ** waits);
  const turn = await turnOf(unclaimed, job, look.deps);
  const backlog = turn === 'wait' ? 'waiting' : await look.backlogOf(job);
  const isLong = backlog !== 'none';
  if (isLong && entry.kind === 'occurrence') await ensureNextEntry(entry, job, look.deps);
  const later = { pauseMs, waits: pauseMs < LONGEST_PAUSE_MS ? waits + 1 : waits };
  if (backlog === 'waiting' && pauseMs < LONGEST_PAUSE_MS) return later;
  if (backlog === 'in-flight' && waits < IN_HAND_FOR_WAITS) return later;
  // What has come to its turn is late because it waited: no misfire policy has a say.
  await send(isLong || turn === 'came' ? 'long' : 'lost');
  look.deps.meter.count(Metric.resent);
  return isLong ? later : RECHECK_SOON;
}

/**
 * `wait`: others of its ordering key are ahead, or another execution of its job; their end sends it. `came`: it stood in
 * line, and is the first.
 */
async function turnOf(
  { jobKey, execId, dueAtMs, orderingKey }: Unclaimed,
  job: Job,
  deps: StageDeps,
): Promise<'wait' | 'came' | 'none'> {
  if (orderingKey !== undefined) {
    const standing = await queuePositionOf({ jobKey, execId, dueAtMs, orderingKey }, deps);
    await resendSilentHead(standing, orderingKey, deps);
    if (standing.at === 'behind') return 'wait';
    if (standing.at === 'turn') return 'came';
  }
  if (job.overlap !== 'queue' && job.overlap !== 'replace') return 'none';
  return (await waitsForOverlapLock(jobKey, execId, deps)) ? 'wait' : 'none';
}
