import { DAY_MS } from '../clock/clock';
import type { OrderedMessage } from '../contracts/messages';
import { expiresAtSecAfter } from '../domain/timing';
import { isFinished } from '../history/coverage';
import type { StageDeps } from '../deps';
import { resendSilentHead, queuePositionOf } from './ordering-queue';
import { enqueueTickets } from '../queue/ordering-tickets';

/** `go`: the key is this execution's; claim. `wait`: others are ahead. `over`: there is nothing left to run. */
export type KeyDecision = 'go' | 'wait' | 'over';

/** Those that hold the key change while it is looked at: each try finds another one, or none. */
const TRIES = 5;
/** The longest time from one claim of an execution to the next: an attempt of 7 days, then a pause of 30. */
const HELD_FOR_DAYS = 40;

/**
 * Takes the ordering key for an execution, where it is its turn. The key is held from before the claim until the
 * execution is over, through all its retries; nobody gives it back: a holder that is over counts as none. A holder
 * without a row is waited for (its claim may be on its way), so no clock decides on who may run.
 */
export async function acquireOrderingKey(message: OrderedMessage, deps: StageDeps): Promise<KeyDecision> {
  for (let tries = 0; tries < TRIES; tries++) {
    const standing = await queuePositionOf(message, deps);
    if (standing.at === 'behind') {
      await resendSilentHead(standing, message.orderingKey, deps);
      return 'wait';
    }
    if (standing.at === 'nowhere') {
      if (await isFinished(message, deps)) return 'over';
      await enqueueTickets([message], deps);
      continue;
    }
    const nowMs = deps.clock.nowMs();
    const hold = {
      acquisitionId: deps.random.id(),
      nowMs,
      expiresAtSec: expiresAtSecAfter(nowMs + HELD_FOR_DAYS * DAY_MS, deps.retentionDays),
      insteadOf: standing.insteadOf,
    };
    if ((await deps.ordering.acquire(message, hold)) === 'acquired') return 'go';
  }
  return 'wait';
}
