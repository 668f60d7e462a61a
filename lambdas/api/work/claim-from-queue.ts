import type { StageDeps } from '../../core/deps';
import { claimRecordExpiry, claimTicket, type ClaimedWork } from '../../core/attempts/claim-ticket';
import { type Priority, PRIORITIES } from '../../core/contracts/pools';
import type { WorkQueueRef } from '../../core/contracts/work-keys';
import type { IdempotencyStamp } from '../../core/domain/job';
import { CLAIM_REPEATABLE_MS } from '../../core/domain/work';
import type { WorkTicket } from '../../core/store/work-store';
import type { ApiDeps } from '../request';

/** What claims need: a function of their own serves them. */
export interface WorkDeps
  extends StageDeps, Pick<ApiDeps, 'audit' | 'quotas' | 'secret' | 'written' | 'sampling' | 'mayRecord'> {
  /** How many claims that function serves at once. @default `SHARED_CLAIM_CONCURRENCY` */
  claimConcurrency?: number | undefined;
}

/** Tickets that one call tries, at most. */
const MOST_TRIED = 50;
/** Claims begin at a random one of the first of these, so that workers meet less often at one ticket. */
const BEGIN_AMONG = 25;
/** One claim in so many begins at the lowest priority, so that none waits for ever. */
const LOWEST_FIRST_EVERY = 10;

/** One request for work. */
export interface Claiming {
  queue: WorkQueueRef;
  max: number;
  worker: string | undefined;
  /** The id of its nth claim, from 0. */
  claimIdOf: (index: number) => string;
  /** Present with an `Idempotency-Key`. */
  stamp: IdempotencyStamp | undefined;
  /** No claim of an execution begins later. */
  untilMs: number;
}

/**
 * Claims due executions of a queue: by priority, then by time, beginning at a random one of the first.
 *
 * With a key, what was claimed is on record before it is answered. A ticket that cannot be claimed now does
 * not stop the others. Throws only if nothing was claimed.
 */
export async function claimFrom(
  claiming: Claiming,
  { consistent }: { consistent: boolean },
  deps: WorkDeps,
): Promise<ClaimedWork[]> {
  const tickets = await ticketsInTurn(claiming.queue, consistent, deps);
  const claimed: ClaimedWork[] = [];
  let failure: { error: unknown } | undefined;
  for (const ticket of tickets) {
    if (claimed.length === claiming.max || deps.clock.nowMs() >= claiming.untilMs) break;
    const claimant = { claimId: claiming.claimIdOf(claimed.length), worker: claiming.worker };
    try {
      const work = await claimTicket(ticket, claimant, deps);
      if (!work) continue;
      claimed.push(work);
      await keepRecord(claiming, claimed, deps);
    } catch (error) {
      const { jobKey, execId } = ticket.message;
      deps.log.error('a ticket could not be claimed', error, { jobKey, execId });
      failure = { error };
    }
  }
  if (claimed.length === 0 && failure) throw failure.error;
  return claimed;
}

async function ticketsInTurn(
  queue: WorkQueueRef,
  consistent: boolean,
  { work, random }: WorkDeps,
): Promise<WorkTicket[]> {
  const limit = MOST_TRIED;
  if (random.fraction() < 1 / LOWEST_FIRST_EVERY) {
    const all = await work.peek(queue, { limit, consistent });
    const last = all.at(-1)?.message.priority;
    if (all.length < limit) return lowestFirst(all);
    for (const priority of [...PRIORITIES].reverse()) {
      if (priority === last) break;
      const lowest = await work.peek(queue, { limit, priority, consistent });
      if (lowest.length > 0) return lowest;
    }
    return all;
  }
  return fromRandom(await work.peek(queue, { limit, consistent }), random.fraction());
}

const lowestFirst = (tickets: readonly WorkTicket[]): WorkTicket[] =>
  tickets.toSorted((a, b) => rankOf(b.message) - rankOf(a.message));
const rankOf = ({ priority }: { priority: Priority }): number => PRIORITIES.indexOf(priority);

/** Begins at a random one of the first tickets of the best priority; those before it come last of these. */
function fromRandom(tickets: readonly WorkTicket[], fraction: number): WorkTicket[] {
  const best = tickets[0]?.message.priority;
  const ofBest = tickets.slice(0, BEGIN_AMONG).filter(({ message }) => message.priority === best);
  const begin = Math.floor(fraction * ofBest.length);
  return [...ofBest.slice(begin), ...ofBest.slice(0, begin), ...tickets.slice(ofBest.length)];
}

async function keepRecord(
  { queue, stamp }: Claiming,
  claimed: readonly ClaimedWork[],
  { work, clock }: WorkDeps,
): Promise<void> {
  if (!stamp) return;
  await work.putClaim({
    userId: queue.userId,
    ...stamp,
    work: claimed.map(({ lease: { jobKey, execId } }) => ({ jobKey, execId })),
    expiresAtSec: claimRecordExpiry(clock.nowMs(), CLAIM_REPEATABLE_MS),
  });
}
