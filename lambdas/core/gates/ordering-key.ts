import { DAY_MS } from '../clock/clock';
import { isOrdered, type OrderedMessage } from '../contracts/messages';
import { orderingQueueKeyOf } from '../contracts/tables';
import { ticketSortOf } from '../contracts/tickets';
import type { StageDeps } from '../deps';
import type { Admission } from '../domain/admission';
import type { Execution } from '../domain/execution';
import { expiresAtSecAfter } from '../domain/timing';
import { isFinished } from '../history/coverage';
import { enqueueTickets } from '../queue/ordering-tickets';
import type { TicketRef } from '../store/ordering-store';
import { type Gate, GO, type Released, SKIP, WAIT } from './gate';
import {
  isSameExecution,
  orderingKeyRefOf,
  queuePositionOf,
  resendSilentFirst,
  ticketStateOf,
} from './ordering-queue';
import { wakeIfDue } from './wake-if-due';

/** The holder may change while it is read. Each try finds another one, or none. */
const TRIES = 5;
/** The longest time between two claims of an execution: an attempt of 7 days, then a pause of 30. */
const HELD_FOR_DAYS = 40;
/** Mostly the first ticket decides. Tickets of ended executions may lie before it. */
const TICKETS_A_READ = 3;

/** An ordering key: executions that share it run one at a time, in order of their due times. */
export const orderingKeyGate: Gate = {
  followUp: 'release-ordering-key',
  // It gives the order, so the first execution keeps it at the later gates. No holder of those waits for it.
  isKeptWaiting: true,
  concerns: isOrdered,
  peek: async () => GO,
  admit: async (message, deps) => (isOrdered(message) ? acquireOrderingKey(message, deps) : GO),
  whileWaiting: async () => [],
  resourceOf: (ended) => orderingQueueKeyOf(orderingKeyRefOf(ticketRefOf(ended))),
  // The tickets of the others belong to ended executions, and are removed on the way.
  release: async ([ended], deps) => releaseOrderingKey(ticketRefOf(ended), deps),
};

const ticketRefOf = ({ jobKey, execId, askedAtMs, orderingKey }: Released): TicketRef => ({
  jobKey,
  execId,
  askedAtMs,
  orderingKey: orderingKey!,
});

/**
 * Acquires the key for the first execution of the queue. It holds the key through all its retries, until it
 * is terminal. Nothing is written to give the key back, because a terminal holder counts as none. A holder
 * without a row blocks: its claim may be on its way, so no clock decides which execution runs.
 */
async function acquireOrderingKey(message: OrderedMessage, deps: StageDeps): Promise<Admission> {
  for (let tries = 0; tries < TRIES; tries++) {
    const position = await queuePositionOf(message, deps);
    if (position.at === 'behind') {
      await resendSilentFirst(position, message.orderingKey, deps);
      return WAIT;
    }
    if (position.at === 'absent') {
      if (await isFinished(message, deps)) return SKIP;
      await enqueueTickets([message], deps);
      continue;
    }
    const nowMs = deps.clock.nowMs();
    const acquired = await deps.ordering.acquire(message, {
      acquisitionId: deps.random.id(),
      nowMs,
      expiresAtSec: expiresAtSecAfter(nowMs + HELD_FOR_DAYS * DAY_MS, deps.retentionDays),
      insteadOf: position.insteadOf,
    });
    if (acquired === 'acquired') return GO;
  }
  return WAIT;
}

/**
 * Wakes the first execution, if the key is free, and removes the ticket of the one that ended. Repeating it
 * does no harm: an execution that runs, or waits for a later time, gets no message.
 */
export async function releaseOrderingKey(ended: TicketRef, deps: StageDeps): Promise<void> {
  for (;;) {
    const { holder, tickets, more } = await deps.ordering.peek(orderingKeyRefOf(ended), TICKETS_A_READ);
    const isFree =
      !holder ||
      isSameExecution(holder, ended) ||
      (await ticketStateOf(holder, ended.orderingKey, deps)) === 'over';
    const isQueued = tickets.some((ticket) => isSameExecution(ticket, ended));
    let first: Execution | 'unclaimed' | undefined;
    for (const ticket of isFree ? tickets : []) {
      if (isSameExecution(ticket, ended)) continue;
      const state = await ticketStateOf(ticket, ended.orderingKey, deps);
      if (state === 'over') {
        await deps.ordering.dequeue({ ...ticket, orderingKey: ended.orderingKey });
        continue;
      }
      first = state;
      await wakeIfDue(ticket.message, state, deps);
      break;
    }
    const last = tickets.at(-1);
    const mayLieBeyond = more && (!last || ticketSortOf(last) < ticketSortOf(ended));
    if (isQueued || mayLieBeyond) await deps.ordering.dequeue(ended);
    if (!isFree || first || !more) return;
  }
}
