import type { StageDeps } from '../core/deps';
import type { Entry } from '../core/domain/entry';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { workerTargetOf } from '../core/domain/work';
import { endNotStarted, startLimitMs } from '../core/ending/end-not-started';
import type { WorkTicket } from '../core/store/work-store';
import { type NextRecheck, RECHECK_SOON } from './recheck';

/** How often an entry is filed again in maintenance mode. */
const WHILE_IN_MAINTENANCE_MS = 60_000;
/** A claim checks the time of a ticket, too. */
const AFTER_LIMIT_MS = 1_000;

/** An execution that may wait for a worker. */
export type MayBeOffered = Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'attempt' | 'userRetries'> & {
  lane?: Execution['lane'];
  priority?: Execution['priority'];
  /** Undefined: it was never claimed. */
  row?: Execution;
};

/** The tickets of executions in the work queue that their job names; those without one are left out. */
export async function ticketsOf(
  executions: readonly MayBeOffered[],
  job: Job,
  { work }: Pick<StageDeps, 'work'>,
): Promise<Map<MayBeOffered, WorkTicket>> {
  const target = workerTargetOf(job);
  if (!target) return new Map();
  const found = new Map<MayBeOffered, WorkTicket>();
  for (const one of executions) {
    const priority = one.lane?.priority ?? one.priority ?? job.priority;
    const ref = { ...one, priority, workQueue: target.queue };
    // A task keeps its lane.
    const ticket = await (one.lane ? work.get(ref) : work.find(ref));
    if (ticket) found.set(one, ticket);
  }
  return found;
}

/**
 * A ticket is durable: while it stands, nothing is lost and nothing is sent. So its execution is next
 * rechecked when its time to start is up, and then ends if it still waits.
 *
 * @returns when to recheck the entry
 */
export async function recheckOffered(
  entry: Entry,
  offered: ReadonlyMap<MayBeOffered, WorkTicket>,
  job: Job,
  deps: StageDeps,
): Promise<NextRecheck> {
  const rechecks = entry.rechecks ?? 0;
  if (await deps.inMaintenance()) return { pauseMs: WHILE_IN_MAINTENANCE_MS, rechecks };
  let soonest: NextRecheck | undefined;
  for (const [one, ticket] of offered) {
    const limitMs = await endAtLimit(one, ticket, job, deps);
    const pauseMs = limitMs === undefined ? undefined : limitMs - deps.clock.nowMs() + AFTER_LIMIT_MS;
    if (pauseMs === undefined) soonest = RECHECK_SOON;
    else if (!soonest || pauseMs < soonest.pauseMs) soonest = { pauseMs, rechecks };
  }
  return soonest ?? RECHECK_SOON;
}

/**
 * Ends an offered execution whose time to start is up.
 *
 * @returns when that is; undefined: it has ended by this
 */
export async function endAtLimit(
  { row }: Pick<MayBeOffered, 'row'>,
  ticket: WorkTicket,
  job: Job,
  deps: StageDeps,
): Promise<number | undefined> {
  const limitMs = await startLimitMs(ticket, job, deps);
  if (deps.clock.nowMs() <= limitMs) return limitMs;
  await endNotStarted({ ticket, row, job, by: 'sweeper' }, deps);
  await deps.work.remove(ticket);
  return undefined;
}

/** The sooner of two. */
export const sooner = (one: NextRecheck, other: NextRecheck): NextRecheck =>
  one.pauseMs <= other.pauseMs ? one : other;
