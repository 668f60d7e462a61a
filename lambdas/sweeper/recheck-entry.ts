import { limitEntry } from '../core/dispatch/attempt-entries';
import { makeSureOfNext } from '../core/dispatch/next-entry';
import type { DispatchDeps } from '../core/deps';
import { standingOf } from '../core/domain/entry-validity';
import type { Entry } from '../core/domain/entry';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { leaseLimitMs } from '../core/domain/lease';
import { isTerminal } from '../core/domain/transitions';
import { Unanswered } from '../core/errors';
import { executionMapKey, type ExecutionRef, type Glance } from '../core/store/execution-store';
import { type Again, fileAgain, type Look, SOON } from './recheck';
import { lookAtUnclaimed } from './recheck-unclaimed';
import { lookAtWaiting } from './recheck-waiting';
import { refsOf } from './execution-refs';
import { takeOver } from './take-over';

/**
 * The second look at one entry, by what its executions have come to. Whatever is not over is filed again, once, so an
 * entry is settled only when all has ended or another entry of the same execution lies ahead. Each repair is itself
 * repaired by the next look where it is cut off half-way.
 */
export async function lookAtEntry(entry: Entry, look: Look): Promise<void> {
  const job = await readJob(entry, look.deps);
  const agains: (Again | undefined)[] = [];
  const unclaimed: string[] = [];
  let unproven = false;
  const refs = refsOf(entry);
  const executions = await readExecutions(refs, look.deps);
  for (const ref of refs) {
    const execution = executions.get(executionMapKey(ref));
    if (execution && !provesItsChain(entry, execution)) unproven = true;
    if (!execution) unclaimed.push(ref.execId);
    else if (execution.status === 'running') agains.push(await lookAtRunning(execution, job, look));
    else if (!isTerminal(execution.status)) agains.push(await lookAtWaiting(entry, execution, job, look));
  }
  // An attempt's entry is written before its row waits for it: without a row there is nothing to wait for.
  if (unclaimed.length > 0 && entry.kind === 'occurrence') {
    agains.push(await lookAtUnclaimed(entry, unclaimed, job, look));
  }
  if (unproven && entry.kind === 'occurrence' && job && standingOf(entry, job) === 'current') {
    await makeSureOfNext(entry, job, look.deps);
  }
  const soonest = agains
    .filter((again) => again !== undefined)
    .reduce<Again | undefined>(
      (least, again) => (least && least.pauseMs <= again.pauseMs ? least : again),
      undefined,
    );
  if (soonest) await fileAgain(entry, soonest, look.deps);
}

/**
 * A claim proves that the entry's chain goes on, since no message goes out before the next entry is written. A row that
 * the user's cancel wrote ahead of time proves nothing, nor does one left by an earlier job of the same id.
 */
export function provesItsChain(entry: Entry, { status, fence, finishedAtMs }: Glance): boolean {
  if (entry.kind !== 'occurrence' || entry.catchUp) return true;
  const cancelledUnclaimed = fence === 0 && status === 'cancelled';
  return !cancelledUnclaimed && (finishedAtMs ?? Number.POSITIVE_INFINITY) >= entry.dueAtMs;
}

/**
 * Running with a fresh heartbeat: look again, at its limit where a target holds the lease. Stale: take over; the next
 * attempt's entry then lies ahead.
 */
async function lookAtRunning(
  execution: Execution,
  job: Job | undefined,
  { deps }: Look,
): Promise<Again | undefined> {
  const limitMs = leaseLimitMs(execution);
  if (deps.clock.nowMs() > limitMs)
    return (await takeOver(execution, job, deps)) === 'done' ? undefined : SOON;
  if (!execution.handedOver) return SOON;
  await deps.schedule.putEntries([await limitEntry(execution, limitMs, deps)]);
  return undefined;
}

async function readJob({ jobKey }: Entry, deps: DispatchDeps): Promise<Job | undefined> {
  const { jobs, unread, unreadable } = await deps.jobs.getMany([jobKey], { consistent: true });
  if (unread.size > 0) throw new Unanswered('jobs', unread.size);
  if (unreadable.size > 0) throw new Error(`the row of job ${jobKey} cannot be read`);
  return jobs.get(jobKey);
}

async function readExecutions(
  refs: readonly ExecutionRef[],
  deps: DispatchDeps,
): Promise<Map<string, Execution>> {
  const { executions, unread, unreadable } = await deps.executions.getMany(refs, { consistent: true });
  if (unread.size > 0) throw new Unanswered('executions', unread.size);
  if (unreadable.size > 0)
    throw new Error(`rows of Executions cannot be read: ${[...unreadable].join(', ')}`);
  return executions;
}
