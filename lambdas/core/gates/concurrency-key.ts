import { DAY_MS } from '../clock/clock';
import { isLimited, type LimitedMessage } from '../contracts/messages';
import { slotsKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { expiresAtSecAfter } from '../domain/timing';
import { isFinished } from '../history/coverage';
import type { SlotTicket, SlotTicketRef } from '../store/concurrency-store';
import { type Admission, type Gate, GO, type Released, SKIP, WAIT } from './gate';
import { isSameExecution } from './ordering-queue';
import {
  concurrencyKeyRefOf,
  limitOf,
  slotPositionOf,
  type SlotPosition,
  type SlotSeeker,
  waiterStateOf,
  withoutSlot,
} from './slots';
import { wakeIfDue } from './wake-if-due';

/** Slots change hands while they are read. Each try finds others. */
const TRIES = 10;
/** The longest time between two claims of an execution: an attempt of 7 days, then a pause of 30. */
const HELD_FOR_DAYS = 40;
/** Executions that one end wakes at most. Their own ends wake the rest. */
const MOST_WOKEN = 10;
/** Tickets of ended executions may lie before those that are to be woken. */
const TICKETS_A_READ = 2 * MOST_WOKEN;

/** A concurrency key: a limited number of the executions that share it run at a time. */
export const concurrencyKeyGate: Gate = {
  followUp: 'release-slot',
  admit: async (message, deps) => (isLimited(message) ? takeSlot(message, deps) : GO),
  whileWaiting: async () => [],
  resourceOf: (ended) => slotsKeyOf(concurrencyKeyRefOf(ticketRefOf(ended))),
  release: releaseSlots,
};

const ticketRefOf = ({ jobKey, execId, concurrencyKey }: Released): SlotTicketRef => ({
  jobKey,
  execId,
  concurrencyKey: concurrencyKey!,
});

/**
 * Takes a slot. The execution holds it through all its retries, until it is terminal. If no slot is free, it
 * writes a ticket and looks once more: an end in between either sees the ticket, or is seen.
 */
async function takeSlot(message: LimitedMessage, deps: StageDeps): Promise<Admission> {
  let isEnqueued = false;
  for (let tries = 0; tries < TRIES; tries++) {
    const position = await slotPositionOf(message, deps);
    if (position.at === 'in-slot') {
      if ((position.holder.userRetries ?? 0) > (message.userRetries ?? 0)) return WAIT;
      if (position.holder.userRetries === message.userRetries) return GO;
    }
    if (position.at === 'behind') {
      if (position.hasTicket || isEnqueued) return WAIT;
      if (await isFinished(message, deps)) return SKIP;
      await enqueueSlotTicket(message, deps);
      isEnqueued = true;
      continue;
    }
    if (await isFinished(message, deps)) return SKIP;
    if ((await take(message, position, deps)) === 'occupied') continue;
    if (position.hasTicket || isEnqueued) await deps.concurrency.dequeue(message);
    return GO;
  }
  if (!isEnqueued) await enqueueSlotTicket(message, deps);
  return WAIT;
}

/** Takes a free slot, or the own one again in a later life. */
async function take(
  message: LimitedMessage,
  position: Extract<SlotPosition, { at: 'in-slot' | 'free' }>,
  deps: StageDeps,
): Promise<'taken' | 'occupied'> {
  const { jobKey, execId, dueAtMs, userRetries } = message;
  const nowMs = deps.clock.nowMs();
  const seen = position.at === 'in-slot' ? position.holder : position;
  const holder = { slot: seen.slot, jobKey, execId, dueAtMs, takeId: deps.random.id(), takenAtMs: nowMs };
  return deps.concurrency.take(
    concurrencyKeyRefOf(message),
    userRetries === undefined ? holder : { ...holder, userRetries },
    {
      expiresAtSec: expiresAtSecAfter(nowMs + HELD_FOR_DAYS * DAY_MS, deps.retentionDays),
      insteadOf: position.at === 'in-slot' ? position.holder : position.insteadOf,
    },
  );
}

const enqueueSlotTicket = (message: LimitedMessage, deps: StageDeps): Promise<void> =>
  deps.concurrency.enqueue(
    message,
    expiresAtSecAfter(Math.max(deps.clock.nowMs(), message.dueAtMs), deps.retentionDays),
  );

/** Where an execution without a claim stands: for the recheck that decides whether its message was lost. */
export async function slotStateOf(seeker: SlotSeeker, deps: StageDeps): Promise<'wait' | 'came' | 'none'> {
  const position = await slotPositionOf(seeker, deps);
  if (position.at === 'in-slot') return 'came';
  const hasTicket = position.hasTicket || (await deps.concurrency.hasTicket(seeker));
  if (!hasTicket) return 'none';
  return position.at === 'free' ? 'came' : 'wait';
}

/** Releases what the execution of a message may hold, though no row says so: it has ended, or never ran. */
export const releaseSlotOf = (message: LimitedMessage, deps: StageDeps): Promise<void> =>
  releaseSlots([{ ...message, status: 'skipped' }], deps);

/**
 * Frees the slots of ended executions, and wakes as many of those that wait as there are free slots.
 * Repeating it does no harm: an execution that holds no slot frees none, and one that was woken twice is
 * claimed once.
 */
async function releaseSlots(ended: readonly [Released, ...Released[]], deps: StageDeps): Promise<void> {
  const [first] = ended;
  const { concurrencyKey } = ticketRefOf(first);
  const ref = concurrencyKeyRefOf(ticketRefOf(first));
  const seen = await deps.concurrency.peek(ref, TICKETS_A_READ);
  const isEnded = (one: { jobKey: string; execId: string; userRetries?: number }) =>
    ended.some((over) => isSameExecution(over, one) && (over.userRetries ?? 0) >= (one.userRetries ?? 0));
  const freed = seen.holders.filter(isEnded);
  for (const holder of freed) await deps.concurrency.free(ref, holder);
  if (seen.tickets.length === 0) return;
  // Several processes free slots at the same time. The last one sees all that are free.
  const now = freed.length > 0 ? await deps.concurrency.peek(ref, TICKETS_A_READ) : seen;
  const free = (await limitOf(ref, deps)) - now.holders.length;
  await wake(withoutSlot(now), Math.min(free, MOST_WOKEN), concurrencyKey, deps);
}

/** Sends the messages of the first executions that wait and may start. */
async function wake(
  tickets: readonly SlotTicket[],
  count: number,
  concurrencyKey: string,
  deps: StageDeps,
): Promise<void> {
  let woken = 0;
  for (const ticket of tickets) {
    if (woken >= count) return;
    const state = await waiterStateOf(ticket, deps);
    if (state === 'over') {
      await deps.concurrency.dequeue({ ...ticket, concurrencyKey });
      continue;
    }
    woken++;
    await wakeIfDue(ticket.message, state, deps);
  }
}
