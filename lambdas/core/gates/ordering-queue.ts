import { MINUTE_MS } from '../clock/clock';
import type { OrderedMessage } from '../contracts/messages';
import { jobRefOf, type OrderingKeyRef, ticketSortOf } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import { delaySecFor, oldestClaimedMs } from '../domain/timing';
import { isTerminal } from '../domain/transitions';
import type { ExecutionRef } from '../store/execution-store';
import type { KeyHolder, TicketRef } from '../store/ordering-store';
import type { StageDeps } from '../deps';

export type OrderingDeps = Pick<StageDeps, 'ordering' | 'executions' | 'queue' | 'clock' | 'retentionDays'>;

/** One that has stood at the head this long without a claim has lost its message, and perhaps its second look. */
const SILENT_AFTER_MS = 2 * MINUTE_MS;
/** Mostly it is the first place that counts; rows of one that is gone lie before it. */
const TICKETS_A_READ = 3;
/** Places of executions that have ended are cleared away on the way; this many looks, and the rest is left to others. */
const MAX_READS = 200;

/** Where an execution stands in the line of its key. */
export type QueuePosition =
  | { at: 'turn'; /** Who held the key before, and is over. */ insteadOf?: KeyHolder }
  | {
      at: 'behind';
      ahead: ExecutionRef;
      /** When whoever is ahead was last heard of; undefined: it is going. */ silentSinceMs?: number;
    }
  /** Nobody is ahead, but it has no place. */
  | { at: 'nowhere'; insteadOf?: KeyHolder };

export const orderingKeyRefOf = ({ jobKey, orderingKey }: TicketRef): OrderingKeyRef => ({
  userId: jobRefOf(jobKey).userId,
  orderingKey,
});

export const isSameExecution = (a: ExecutionRef, b: ExecutionRef): boolean =>
  a.jobKey === b.jobKey && a.execId === b.execId;

/**
 * It is the turn of the execution that holds the key, else of the one with the first place, once the holder is over.
 * Places of what is over are removed on the way, so that a hand-over that never happened is made up for by whoever
 * looks next.
 */
export async function queuePositionOf(
  own: TicketRef & { dueAtMs: number },
  deps: OrderingDeps,
): Promise<QueuePosition> {
  for (let looks = 1; ; looks++) {
    const { holder, tickets: places, more } = await deps.ordering.peek(orderingKeyRefOf(own), TICKETS_A_READ);
    if (holder && isSameExecution(holder, own)) return { at: 'turn' };
    if (holder) {
      const state = await ticketStateOf(holder, own.orderingKey, deps);
      if (state !== 'over') return behind(holder, state, Math.max(holder.dueAtMs, holder.acquiredAtMs));
    }
    for (const place of places) {
      if (isSameExecution(place, own)) return { at: 'turn', insteadOf: holder };
      if (ticketSortOf(place) > ticketSortOf(own)) return { at: 'nowhere', insteadOf: holder };
      const state = await ticketStateOf(place, own.orderingKey, deps);
      if (state !== 'over' || looks > MAX_READS) return behind(place, state, place.dueAtMs);
      await deps.ordering.dequeue({ ...place, orderingKey: own.orderingKey });
    }
    if (!more) return { at: 'nowhere', insteadOf: holder };
  }
}

const behind = (
  ahead: ExecutionRef,
  state: Execution | 'unclaimed' | 'over',
  sinceMs: number,
): QueuePosition => ({
  at: 'behind',
  ahead: { jobKey: ahead.jobKey, execId: ahead.execId },
  silentSinceMs: state === 'unclaimed' ? sinceMs : undefined,
});

/**
 * What has become of an execution that stands in line. `over`: it has ended and blocks nobody, is so old that nobody may
 * claim it any more, or runs under another key, since its job was edited.
 */
export async function ticketStateOf(
  one: ExecutionRef & { dueAtMs: number },
  orderingKey: string,
  { executions, clock, retentionDays }: OrderingDeps,
): Promise<Execution | 'unclaimed' | 'over'> {
  const row = await executions.get(one);
  if (!row) return one.dueAtMs < oldestClaimedMs(clock.nowMs(), retentionDays) ? 'over' : 'unclaimed';
  if (isTerminal(row.status)) return row.blocksKey ? row : 'over';
  return row.orderingKey !== undefined && row.orderingKey !== orderingKey ? 'over' : row;
}

/** Sends whoever is at the head and silent, at most once in so long: its job may have no entry left that would. */
export async function resendSilentHead(
  standing: QueuePosition,
  orderingKey: string,
  deps: OrderingDeps,
): Promise<void> {
  if (standing.at !== 'behind' || standing.silentSinceMs === undefined) return;
  const nowMs = deps.clock.nowMs();
  if (nowMs - standing.silentSinceMs < SILENT_AFTER_MS) return;
  const place = { ...standing.ahead, orderingKey };
  const message = await deps.ordering.claimResend(place, { nowMs, everyMs: SILENT_AFTER_MS });
  if (message) await resendOrdered(message, deps);
}

/** Never to start before its time. Not where its pool is gone: its own second look says so. */
export async function resendOrdered(
  message: OrderedMessage,
  { queue, clock }: Pick<OrderingDeps, 'queue' | 'clock'>,
): Promise<void> {
  if (!queue.has(message.pool, message.priority)) return;
  const nowMs = clock.nowMs();
  const startAtMs = Math.max(message.startAtMs, nowMs);
  await queue.send([{ message: { ...message, startAtMs }, delaySec: delaySecFor(startAtMs, nowMs) }]);
}
