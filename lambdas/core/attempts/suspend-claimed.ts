import type { StageDeps } from '../deps';
import { HELD_START_MS, nextHeldCheckMs } from '../domain/delayed-run';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { recheckEntryAt } from '../queue/attempt-entries';
import type { LeaseHandle } from '../store/lease-handle';
import { settleWithoutCall, type SettledStatus } from './settle';

/**
 * Gives a claimed delayed run back, because its job is paused. It keeps no gate: to them, it is put off.
 * Order of writes: the entry of its next recheck → the row.
 */
export async function suspendClaimed(
  { execution, job, handle }: { execution: Execution; job: Job | undefined; handle: LeaseHandle },
  deps: StageDeps,
): Promise<SettledStatus> {
  const { attempt, failures, takeovers, timesMoved = 0 } = execution;
  const heldAtMs = deps.clock.nowMs();
  const outcome = await handle.write(async () => {
    const checkAtMs = nextHeldCheckMs(heldAtMs, deps.clock.nowMs());
    await deps.schedule.putEntries([await recheckEntryAt(execution, checkAtMs, deps)]);
    const next = { heldAtMs, startAtMs: HELD_START_MS, timesMoved: timesMoved + 1 };
    return deps.executions.awaitRetry(handle.lease, { attempt, failures, takeovers, ...next }, []);
  });
  if (outcome === 'done') return 'retrying';
  if (outcome === 'lease-lost') return outcome;
  return settleWithoutCall(
    { execution, job, handle },
    { status: 'cancelled', reason: 'cancelled-by-user' },
    deps,
  );
}
