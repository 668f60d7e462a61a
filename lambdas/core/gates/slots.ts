import { type ConcurrencyKeyRef, jobRefOf } from '../contracts/tables';
import { ticketSortOf } from '../contracts/tickets';
import { inParallel } from '../async/in-parallel';
import type { StageDeps } from '../deps';
import { type ConcurrencyKey, DEFAULT_CONCURRENCY, ruleAmong } from '../domain/concurrency-key';
import { isPutOff, lifeOf } from '../domain/work';
import { ageSinceMs, type Execution, isRun } from '../domain/execution';
import { shardOf } from '../domain/shard';
import { freeStarts, nextStartMs, type StartLog } from '../domain/start-log';
import { isTerminal } from '../domain/transitions';
import type { SlotHolder, SlotQueue, SlotTicket, SlotTicketRef } from '../store/concurrency-store';
import type { ExecutionRef } from '../store/execution-store';
import { isSameExecution } from './ordering-queue';
import { startIdOf } from './start-id';
import { isUnbegun, isUnclaimable, SILENT_AFTER_MS, type SilentHolder } from './unclaimed';

export type SlotDeps = Pick<
  StageDeps,
  'concurrency' | 'executions' | 'overlapLocks' | 'clock' | 'retentionDays'
>;

/** Mostly the first tickets decide. Tickets of ended executions may lie before them. */
const TICKETS_A_READ = 10;
/** Upper bound on reads that remove tickets of ended executions. Later callers remove the rest. */
const MAX_READS = 50;
/** Holders whose executions are read at the same time. */
const CONCURRENCY = 10;

/** Where an execution stands at its concurrency key. */
export type SlotPosition =
  | { at: 'in-slot'; holder: SlotHolder; startLog?: StartLog; hasTicket: boolean }
  /** It may take this slot, and start now. */
  | {
      at: 'free';
      slot: number;
      /** The holder before it, which has ended. */ insteadOf?: SlotHolder;
      startLog?: StartLog;
      hasTicket: boolean;
    }
  /**
   * `hasTicket`: among the first tickets that one read shows. `startsAtMs`: it is the first, and waits for
   * the rate alone.
   */
  | {
      at: 'behind';
      hasTicket: boolean;
      startsAtMs?: number;
      /** Holders that have not begun for long, if it is the first. */
      silent?: readonly SilentHolder[];
    };

/** An execution that asks for a slot. */
export interface SlotSeeker extends SlotTicketRef {
  dueAtMs: number;
  userRetries?: number;
  timesMoved?: number;
}

export const concurrencyKeyRefOf = ({ jobKey, concurrencyKey }: SlotTicketRef): ConcurrencyKeyRef => ({
  userId: jobRefOf(jobKey).userId,
  concurrencyKey,
});

/** How many executions of a key run at a time, and start in a period. `name`: of what says so. */
export type KeyRule = Pick<ConcurrencyKey, 'limit' | 'rate'> & Partial<Pick<ConcurrencyKey, 'name'>>;

/** What has the limits of a key: its own definition or, without one, the rule for its beginning. */
export const definitionFor = async (
  ref: ConcurrencyKeyRef,
  { concurrency }: Pick<SlotDeps, 'concurrency'>,
): Promise<ConcurrencyKey | undefined> =>
  (await concurrency.getKey(ref)) ?? ruleAmong(await concurrency.listKeys(ref.userId), ref.concurrencyKey);

export const ruleOf = async (ref: ConcurrencyKeyRef, deps: SlotDeps): Promise<KeyRule> =>
  (await definitionFor(ref, deps)) ?? { limit: DEFAULT_CONCURRENCY };

/**
 * An execution may take a slot if more are free than executions with earlier tickets wait, and so with starts
 * of the key's rate. Slots of ended
 * executions count as free, because the process that ended one may have died. Tickets of ended executions are
 * removed on the way.
 */
export async function slotPositionOf(
  own: SlotSeeker,
  { limit, rate }: KeyRule,
  deps: SlotDeps,
): Promise<SlotPosition> {
  const ref = concurrencyKeyRefOf(own);
  for (let reads = 1; ; reads++) {
    const queue = await deps.concurrency.peek(ref, TICKETS_A_READ);
    const ticket = queue.tickets.find((one) => isSameExecution(one, own));
    const hasTicket = ticket !== undefined && !isOfEarlierLife(ticket.message, own);
    if (ticket && !hasTicket)
      await deps.concurrency.dequeue({ ...ticket, concurrencyKey: own.concurrencyKey });
    const holder = queue.holders.find((one) => isSameExecution(one, own));
    const { startLog } = queue;
    if (holder) return { at: 'in-slot', holder, startLog, hasTicket };
    const { free, over, silent } = await freeSlots(queue, limit, own.concurrencyKey, deps);
    const nowMs = deps.clock.nowMs();
    const starts = rate ? freeStarts(startLog, rate, nowMs, startIdOf(own)) : free;
    const open = Math.min(free, starts);
    // Where no start is free, the first of those that wait is asked for.
    const { ahead, removed } = await waitingAhead(queue, own, rate ? Math.max(open, 1) : open, deps);
    // More tickets, which this read did not show, may lie before the own one.
    if (removed > 0 && queue.more && reads < MAX_READS) continue;
    if (rate && ahead === 0 && free > 0 && starts <= 0)
      return { at: 'behind', hasTicket, startsAtMs: nextStartMs(startLog, rate, nowMs, startIdOf(own)) };
    if (ahead >= open) return { at: 'behind', hasTicket, ...(ahead === 0 && { silent }) };
    const taken = new Set(queue.holders.map(({ slot }) => slot));
    const insteadOf = over.find(({ slot }) => slot < limit);
    const unused = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    const slot = chosenBy(own, unused, limit);
    if (slot !== undefined) return { at: 'free', slot, startLog, hasTicket };
    return insteadOf
      ? { at: 'free', slot: insteadOf.slot, insteadOf, startLog, hasTicket }
      : { at: 'behind', hasTicket };
  }
}

type Life = Parameters<typeof lifeOf>[0];

/** Whether one is of an earlier life than another. The message of its ticket then wakes nothing. */
const isOfEarlierLife = (one: Life, other: Life): boolean => (lifeOf(one) ?? 0) < (lifeOf(other) ?? 0);

/**
 * Executions that take slots at the same time mostly choose different ones. Messages of one execution choose
 * the same, so that it does not take two.
 */
function chosenBy({ jobKey, execId }: ExecutionRef, unused: readonly number[], limit: number) {
  const from = shardOf(`${jobKey}/${execId}`, limit);
  return unused.find((slot) => slot >= from) ?? unused[0];
}

/**
 * How many slots are free, and the holders that have ended. The executions of the holders are read only if
 * no slot is unused.
 */
async function freeSlots(
  { holders }: SlotQueue,
  limit: number,
  concurrencyKey: string,
  deps: SlotDeps,
): Promise<{ free: number; over: SlotHolder[]; silent: SilentHolder[] }> {
  if (holders.length < limit) return { free: limit - holders.length, over: [], silent: [] };
  const [over, silent]: [SlotHolder[], SilentHolder[]] = [[], []];
  await inParallel(holders, CONCURRENCY, async (holder) => {
    const row = await deps.executions.get(holder);
    if ((await stateOf(holder, row, concurrencyKey, deps)) === 'over') over.push(holder);
    else if (deps.clock.nowMs() - holder.takenAtMs > SILENT_AFTER_MS && (!row || isUnbegun(row)))
      silent.push({ ...holder, row, slotOf: concurrencyKey });
  });
  return { free: limit - holders.length + over.length, over, silent };
}

/** Those that wait: the ticket of an execution that holds a slot is about to be removed. */
export const withoutSlot = ({ tickets, holders }: SlotQueue): SlotTicket[] =>
  tickets.filter((ticket) => !holders.some((holder) => isSameExecution(holder, ticket)));

/** Executions with tickets before the own one that could use a slot, up to `most`. */
async function waitingAhead(
  queue: SlotQueue,
  own: SlotSeeker,
  most: number,
  deps: SlotDeps,
): Promise<{ ahead: number; removed: number }> {
  let ahead = 0;
  let removed = 0;
  for (const ticket of withoutSlot(queue)) {
    if (ahead >= most || ticketSortOf(ticket) >= ticketSortOf(own)) break;
    if ((await waiterStateOf(ticket.message, deps)) === 'over') {
      await deps.concurrency.dequeue({ ...ticket, concurrencyKey: own.concurrencyKey });
      removed++;
    } else if (!(await isLockedOut(ticket.message, deps))) ahead++;
  }
  return { ahead, removed };
}

/**
 * `over`: the holder has ended, or nothing of it is left to run. Or it has begun in a later life, or without
 * this key: its job was edited. A holder without a row blocks its slot: its claim may be on its way.
 */
export const holderStateOf = async (
  holder: SlotHolder,
  concurrencyKey: string,
  deps: SlotDeps,
): Promise<'over' | 'active'> => stateOf(holder, await deps.executions.get(holder), concurrencyKey, deps);

async function stateOf(
  holder: SlotHolder,
  row: Execution | undefined,
  concurrencyKey: string,
  deps: SlotDeps,
): Promise<'over' | 'active'> {
  if (!row) return (await isOver(holder, holder.takenAtMs, deps)) ? 'over' : 'active';
  if (isTerminal(row.status) || (lifeOf(row) ?? 0) > (holder.userRetries ?? 0)) return 'over';
  return isUnbegun(row) || row.concurrencyKey === concurrencyKey ? 'active' : 'over';
}

/**
 * The state of an execution that has a ticket. `over`: it waits here no more. A later life passes the gates
 * that its job and payload have by then, so the message of the life before is over.
 */
export async function waiterStateOf(
  message: ExecutionRef & { dueAtMs: number } & Life,
  deps: SlotDeps,
): Promise<Execution | 'unclaimed' | 'over'> {
  const row = await deps.executions.get(message);
  if (!row) return (await isOver(message, message.dueAtMs, deps)) ? 'over' : 'unclaimed';
  if (isOfEarlierLife(message, row)) return 'over';
  const waits = !isTerminal(row.status) && row.status !== 'running' && row.concurrencyKey === undefined;
  return !waits || isPutOff(row, deps.clock.nowMs()) ? 'over' : row;
}

/**
 * Whether another execution, which has begun, has its job's lock. It could use no slot, so none is kept for
 * it: that other one may wait for a child, and the child for the slot. But one is kept for what has the
 * place, and was overtaken by an execution without tasks. Else it could find one of the two taken each time.
 */
export async function isLockedOut(
  message: SlotTicket['message'],
  { overlapLocks, executions }: SlotDeps,
): Promise<boolean> {
  const { jobKey, execId, overlap } = message;
  if (overlap === undefined) return false;
  const { holder, holderRetries = 0, waiter } = await overlapLocks.get(jobKey);
  if (holder === undefined || holder === execId) return false;
  const row = await executions.get({ jobKey, execId: holder });
  if (!row || isUnbegun(row) || isTerminal(row.status) || (lifeOf(row) ?? 0) > holderRetries) return false;
  return overlap !== 'queue' || waiter !== execId || isRun(row) || ageSinceMs(row) <= ageSinceMs(message);
}

/** Asked only of a silent one: most are about to be claimed, and the question costs a read. */
const isOver = async (
  one: ExecutionRef & { dueAtMs: number },
  sinceMs: number,
  deps: SlotDeps,
): Promise<boolean> => deps.clock.nowMs() - sinceMs > SILENT_AFTER_MS && (await isUnclaimable(one, deps));
