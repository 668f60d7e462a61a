import type { DispatchDeps } from '../core/dispatch/deps';
import type { Entry } from '../core/domain/entry';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { STALE_AFTER_MS } from '../core/domain/lease';
import { isTerminal } from '../core/domain/transitions';
import { Unanswered } from '../core/store/errors';
import { type Again, fileAgain, type Look, SOON } from './look';
import { lookAtUnclaimed } from './look-at-unclaimed';
import { lookAtWaiting } from './look-at-waiting';
import { refsOf } from './refs';
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
  for (const ref of refsOf(entry, job)) {
    const execution = await look.deps.executions.get(ref);
    if (!execution) unclaimed.push(ref.execId);
    else if (execution.status === 'running') agains.push(await lookAtRunning(execution, job, look));
    else if (!isTerminal(execution.status)) agains.push(await lookAtWaiting(entry, execution, job, look));
  }
  // An attempt's entry is written before its row waits for it: without a row there is nothing to wait for.
  if (unclaimed.length > 0 && entry.kind === 'occurrence') {
    agains.push(await lookAtUnclaimed(entry, unclaimed, job, look));
  }
  const soonest = agains
    .filter((again) => again !== undefined)
    .reduce<Again | undefined>(
      (least, again) => (least && least.pauseMs <= again.pauseMs ? least : again),
      undefined,
    );
  if (soonest) await fileAgain(entry, soonest, look.deps);
}

/** Running with a fresh heartbeat: look again. Stale: take over; the next attempt's entry then lies ahead. */
async function lookAtRunning(
  execution: Execution,
  job: Job | undefined,
  look: Look,
): Promise<Again | undefined> {
  const silentMs = look.deps.clock.nowMs() - (execution.heartbeatAtMs ?? 0);
  const takenOver = silentMs > STALE_AFTER_MS && (await takeOver(execution, job, look.deps)) === 'done';
  return takenOver ? undefined : SOON;
}

async function readJob({ jobKey }: Entry, deps: DispatchDeps): Promise<Job | undefined> {
  const { jobs, unread } = await deps.jobs.getMany([jobKey], { consistent: true });
  if (unread.size > 0) throw new Unanswered('jobs', unread.size);
  return jobs.get(jobKey);
}
