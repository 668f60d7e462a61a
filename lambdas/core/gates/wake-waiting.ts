import type { ConcurrencyKeyRef } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { freeStarts, nextStartMs } from '../domain/start-log';
import type { SlotQueue } from '../store/concurrency-store';
import { sendForStart } from './rate';
import { isLockedOut, type KeyRule, waiterStateOf, withoutSlot } from './slots';
import { wakeIfDue } from './wake-if-due';

/** Executions that one end wakes at most. Their own ends wake the rest. */
export const MOST_WOKEN = 10;
/** Tickets of ended executions may lie before those that are to be woken. */
export const TICKETS_A_READ = 2 * MOST_WOKEN;
/** Each start wakes the next two, so that a burst that the rate allows starts in few steps. */
const WOKEN_BY_START = 2;

/**
 * Sends the messages of the first executions that wait, as many as there are free slots and free starts. One
 * that waits for its job's lock does not count. If the rate alone closes the gate and `forLater` is set, the
 * first one's message is sent for its time.
 */
export async function wakeWaiting(
  ref: ConcurrencyKeyRef,
  queue: SlotQueue,
  { limit, rate }: KeyRule,
  { most, forLater }: { most: number; forLater: boolean },
  deps: StageDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const free = limit - queue.holders.length;
  const starts = rate ? freeStarts(queue.startLog, rate, nowMs) : free;
  const now = Math.min(free, starts, most);
  const isForLater = forLater && rate !== undefined && free > 0 && starts <= 0;
  let left = isForLater ? 1 : now;
  for (const ticket of withoutSlot(queue)) {
    if (left <= 0) return;
    const state = await waiterStateOf(ticket.message, deps);
    if (state === 'over') {
      await deps.concurrency.dequeue({ ...ticket, ...ref });
      continue;
    }
    if (!(await isLockedOut(ticket.message, deps))) left--;
    if (isForLater) await sendForStart(ticket.message, nextStartMs(queue.startLog, rate, nowMs), deps, state);
    else await wakeIfDue(ticket.message, state, deps);
  }
}

/**
 * Wakes the next execution of a key with a rate, after one has started or left: now, or by a message for its
 * time. One that writes its ticket later than this reads the queue sees the start itself.
 */
export async function wakeNextStart(ref: ConcurrencyKeyRef, rule: KeyRule, deps: StageDeps): Promise<void> {
  const queue = await deps.concurrency.peek(ref, TICKETS_A_READ);
  if (queue.tickets.length === 0) return;
  await wakeWaiting(ref, queue, rule, { most: WOKEN_BY_START, forLater: true }, deps);
}
