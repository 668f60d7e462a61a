import { jobRefOf, type OrderingKeyRef } from '../contracts/tables';
import { ticketSortOf } from '../contracts/tickets';
import { isPutOff } from '../domain/work';
import type { Execution } from '../domain/execution';
import { isTerminal } from '../domain/transitions';
import type { ExecutionRef } from '../store/execution-store';
import type { KeyHolder, TicketRef } from '../store/ordering-store';
import type { StageDeps } from '../deps';
import { isUnclaimable, SILENT_AFTER_MS } from './unclaimed';
import { resendWaiting } from './wake-if-due';

export type OrderingDeps = Pick<StageDeps, 'ordering' | 'executions' | 'queue' | 'clock' | 'retentionDays'>;

/** Mostly the first ticket decides. Tickets of ended executions may lie before it. */
const TICKETS_A_READ = 3;
/** Upper bound on reads that remove tickets of ended executions. Later callers remove the rest. */
const MAX_READS = 200;

/** The position of an execution in the ordering queue of its key. */
export type QueuePosition =
  | { at: 'first'; /** The holder before it, which has ended. */ insteadOf?: KeyHolder }
  | {
      at: 'behind';
      ahead: ExecutionRef;
      /** Where the ticket of the one ahead lies, if that was read. */
      sort?: string;
      /** Since when the one ahead could be claimed; undefined: it was. */
      silentSinceMs?: number;
    }
  /** None is ahead, but it has no ticket. */
  | { at: 'absent'; insteadOf?: KeyHolder };

export const orderingKeyRefOf = ({ jobKey, orderingKey }: TicketRef): OrderingKeyRef => ({
  userId: jobRefOf(jobKey).userId,
  orderingKey,
});

export const isSameExecution = (a: ExecutionRef, b: ExecutionRef): boolean =>
  a.jobKey === b.jobKey && a.execId === b.execId;

/**
 * First is the execution that holds the key. Once the holder has ended, it is the one with the first ticket.
 * Tickets of ended executions are removed on the way, so that the next caller makes up for a release that was
 * cut off.
 */
export async function queuePositionOf(
  own: TicketRef & { dueAtMs: number },
  deps: OrderingDeps,
): Promise<QueuePosition> {
  for (let reads = 1; ; reads++) {
    const { holder, tickets, more } = await deps.ordering.peek(orderingKeyRefOf(own), TICKETS_A_READ);
    if (holder && isSameExecution(holder, own)) return { at: 'first' };
    if (holder) {
      const state = await ticketStateOf(holder, own.orderingKey, deps);
      if (state !== 'over') return behind(holder, state, Math.max(holder.dueAtMs, holder.acquiredAtMs));
    }
    for (const ticket of tickets) {
      if (isSameExecution(ticket, own)) return { at: 'first', insteadOf: holder };
      if (ticketSortOf(ticket) > ticketSortOf(own)) return { at: 'absent', insteadOf: holder };
      const state = await ticketStateOf(ticket, own.orderingKey, deps);
      if (state !== 'over' || reads > MAX_READS) return behind(ticket, state, ticket.dueAtMs);
      await deps.ordering.dequeue({ ...ticket, orderingKey: own.orderingKey });
    }
    if (!more) return { at: 'absent', insteadOf: holder };
  }
}

const behind = (
  ahead: ExecutionRef & { sort?: string },
  state: Execution | 'unclaimed' | 'over',
  sinceMs: number,
): QueuePosition => ({
  at: 'behind',
  ahead: { jobKey: ahead.jobKey, execId: ahead.execId },
  ...(ahead.sort !== undefined && { sort: ahead.sort }),
  silentSinceMs: state === 'unclaimed' ? sinceMs : undefined,
});

/**
 * The state of an execution that has a ticket. `over`: it has ended without blocking, is too old to be
 * claimed, or lies in a skipped range. Or it runs under another key since an edit of its job, or is put off.
 */
export async function ticketStateOf(
  one: ExecutionRef & { dueAtMs: number },
  orderingKey: string,
  deps: OrderingDeps,
): Promise<Execution | 'unclaimed' | 'over'> {
  const row = await deps.executions.get(one);
  if (!row) {
    // Asked only of a silent one: most are about to be claimed, and the question costs a read.
    const isSilent = deps.clock.nowMs() - one.dueAtMs > SILENT_AFTER_MS;
    return isSilent && (await isUnclaimable(one, deps)) ? 'over' : 'unclaimed';
  }
  if (isTerminal(row.status)) return row.blocksKey ? row : 'over';
  if (isPutOff(row, deps.clock.nowMs())) return 'over';
  // Without a key on the row, its message names the job's. A user retry has put the job's key on the row.
  const hasOwn = row.orderingKey !== undefined || row.userRetries !== undefined;
  return hasOwn && row.orderingKey !== orderingKey ? 'over' : row;
}

/**
 * Resends the first execution if it is silent, at most once in a while: its job may have no entry left for
 * it.
 */
export async function resendSilentFirst(
  position: QueuePosition,
  orderingKey: string,
  deps: OrderingDeps,
): Promise<void> {
  if (position.at !== 'behind' || position.silentSinceMs === undefined) return;
  const nowMs = deps.clock.nowMs();
  if (nowMs - position.silentSinceMs < SILENT_AFTER_MS) return;
  const ticket = { ...position.ahead, sort: position.sort, orderingKey };
  const message = await deps.ordering.claimResend(ticket, { nowMs, everyMs: SILENT_AFTER_MS });
  if (message) await resendWaiting(message, deps);
}
