import { DAY_MS } from '../clock/clock';
import type { OrderedMessage } from '../contracts/messages';
import { expiresAtSecAfter } from '../domain/timing';
import { isOver } from '../history/coverage';
import type { DispatchDeps } from '../deps';
import { nudgeAhead, standingInLine } from './ordering-queue';
import { takePlaces } from '../queue/ordering-tickets';

/** `go`: the key is this execution's; claim. `wait`: others are ahead. `over`: there is nothing left to run. */
export type Turn = 'go' | 'wait' | 'over';

/** Those that hold the key change while it is looked at: each try finds another one, or none. */
const TRIES = 5;
/** The longest time from one claim of an execution to the next: an attempt of 7 days, then a pause of 30. */
const HELD_FOR_DAYS = 40;

/**
 * Takes the ordering key for an execution, where it is its turn. The key is held from before the claim until the
 * execution is over, through all its retries; nobody gives it back: a holder that is over counts as none. A holder
 * without a row is waited for (its claim may be on its way), so no clock decides on who may run.
 */
export async function takeTurn(message: OrderedMessage, deps: DispatchDeps): Promise<Turn> {
  for (let tries = 0; tries < TRIES; tries++) {
    const standing = await standingInLine(message, deps);
    if (standing.at === 'behind') {
      await nudgeAhead(standing, message.orderingKey, deps);
      return 'wait';
    }
    if (standing.at === 'nowhere') {
      if (await isOver(message, deps)) return 'over';
      await takePlaces([message], deps);
      continue;
    }
    const nowMs = deps.clock.nowMs();
    const hold = {
      takeId: deps.chance.id(),
      nowMs,
      expiresAtSec: expiresAtSecAfter(nowMs + HELD_FOR_DAYS * DAY_MS, deps.retentionDays),
      insteadOf: standing.insteadOf,
    };
    if ((await deps.lines.take(message, hold)) === 'taken') return 'go';
  }
  return 'wait';
}
