import { MINUTE_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { execIdOfOccurrence } from '../core/contracts/tables';
import { makeSureOfNext } from '../core/dispatch/chain';
import { waitsForTurn } from '../core/dispatch/overlap';
import type { Entry } from '../core/domain/entry';
import type { Job } from '../core/domain/job';
import { SECOND_LOOK_AFTER_MS } from '../core/domain/timing';
import { type Again, type Look, SOON } from './look';

const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Work that nobody has claimed: sent once more, unless its queue is merely long or its turn has not come. Then the next entry alone is made sure
 * of and the pause doubles, from 20 s to 10 min; at 10 min the message goes out at each look all the same, so that a
 * queue that is never empty cannot hide a lost message for ever.
 */
export async function sendAgain(
  entry: Entry,
  job: Job,
  look: Look,
  send: (why: 'lost' | 'long') => Promise<void>,
): Promise<Again> {
  const waits = entry.waits ?? 0;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, SECOND_LOOK_AFTER_MS * 2 ** waits);
  const isLong = (await look.hasBacklog(job)) || (await hasToWait(entry, job, look));
  if (isLong && entry.kind === 'occurrence') await makeSureOfNext(entry, job, look.deps);
  if (isLong && pauseMs < LONGEST_PAUSE_MS) return { pauseMs, waits: waits + 1 };
  await send(isLong ? 'long' : 'lost');
  look.deps.meter.count(Metric.resent);
  return isLong ? { pauseMs, waits } : SOON;
}

/** Behind another execution of its job, whose finisher will send it. */
async function hasToWait(entry: Entry, job: Job, { deps }: Look): Promise<boolean> {
  if (job.overlap !== 'queue' && job.overlap !== 'replace') return false;
  const execId = entry.kind === 'attempt' ? entry.execId : execIdOfOccurrence(entry.dueAtMs);
  return waitsForTurn(entry.jobKey, execId, deps);
}
