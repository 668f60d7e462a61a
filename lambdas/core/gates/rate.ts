import { DAY_MS, SECOND_MS } from '../clock/clock';
import type { LimitedMessage } from '../contracts/messages';
import { MAX_DELAY_SEC } from '../contracts/horizon';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { freeStarts, nextStartMs, type Rate, type StartLog, withStart } from '../domain/start-log';
import { expiresAtSecAfter } from '../domain/timing';
import { concurrencyKeyRefOf, type KeyRule, waiterStateOf } from './slots';
import { startIdOf } from './start-id';
import { resendWaiting, wakeIfDue } from './wake-if-due';

/** The queue holds a message no longer. The rechecks of what waits come at least so often. */
const MAX_WAIT_MS = MAX_DELAY_SEC * SECOND_MS;

/**
 * Counts the start of an execution in the log of its key, right before it starts. An execution whose executor
 * died after it counts once, with the time at which it is counted again.
 *
 * @param seen the log as it was read with the slots
 * @returns `changed`: another start came in between; `wait`: the rate allows none now, and its message comes
 * again for its time
 */
export async function countStart(
  message: LimitedMessage,
  rate: Rate,
  seen: StartLog | undefined,
  deps: StageDeps,
): Promise<'counted' | 'changed' | 'wait'> {
  const nowMs = deps.clock.nowMs();
  const startId = startIdOf(message);
  if (freeStarts(seen, rate, nowMs, startId) <= 0) {
    await sendForStart(message, nextStartMs(seen, rate, nowMs, startId), deps);
    return 'wait';
  }
  const log = withStart(seen, rate, { nowMs, startId, logId: deps.random.id() });
  const expiresAtSec = expiresAtSecAfter(nowMs + DAY_MS, deps.retentionDays);
  const options = { expiresAtSec, ...(seen && { insteadOf: seen }) };
  const answer = await deps.concurrency.logStart(concurrencyKeyRefOf(message), log, options);
  return answer === 'logged' ? 'counted' : 'changed';
}

/**
 * Counts the start of an execution that holds its slot, unless it has started. Its executor died in between,
 * or its message came twice. If the rate allows no start now, the execution keeps its slot: no other one
 * could use it either. `go`: it has started before, or needs no count.
 */
export async function startInSlot(
  message: LimitedMessage,
  { rate }: KeyRule,
  seen: StartLog | undefined,
  deps: StageDeps,
): Promise<'go' | 'counted' | 'changed' | 'wait'> {
  if (!rate || (await waiterStateOf(message, deps)) === 'over') return 'go';
  return countStart(message, rate, seen, deps);
}

/**
 * Sends the message of the first execution that waits for a start, for the time of that start. Sends none if
 * that is later than a queue can hold a message: the recheck sends one in time.
 *
 * @param state its row, if the message is that of its ticket
 */
export async function sendForStart(
  message: LimitedMessage,
  startsAtMs: number,
  deps: StageDeps,
  state?: Execution | 'unclaimed',
): Promise<void> {
  if (startsAtMs - deps.clock.nowMs() > MAX_WAIT_MS) return;
  if (state !== undefined) return wakeIfDue(message, state, deps, startsAtMs);
  await resendWaiting({ ...message, startAtMs: Math.max(message.startAtMs, startsAtMs) }, deps);
}
