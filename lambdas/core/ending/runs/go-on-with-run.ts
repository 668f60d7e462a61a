import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { EndedBy } from '../../domain/ended';
import type { Execution, Run } from '../../domain/execution';
import { isAlive } from '../../domain/workflow/task-eligibility';
import type { ExecutionRef } from '../../store/execution-store';
import { type Advance, advanceRun } from './advance-run';

/** Children that are gone on with at the same time. */
const CONCURRENCY = 5;

/** Goes on with a run, and does what must follow if that is its end. */
export async function goOnWithRun(run: Run, how: Omit<Advance, 'cancelled'>, deps: StageDeps): Promise<void> {
  const cancelled: ExecutionRef[] = [];
  const ended = await advanceRun(run, { ...how, cancelled }, deps);
  await afterAdvance(ended, cancelled, how, deps);
}

/**
 * Does what must follow if a run has ended by this. Children whose cancellation was requested stop too, if
 * they are runs; or their rechecks stop them.
 */
export async function afterAdvance(
  ended: Execution | undefined,
  cancelled: readonly ExecutionRef[],
  { by }: { by: EndedBy },
  deps: StageDeps,
): Promise<void> {
  await inParallel(cancelled, CONCURRENCY, async (ref) => {
    try {
      const child = await deps.executions.get(ref);
      if (isAlive(child)) await goOnWithRun(child, { fresh: new Set(), by: 'other' }, deps);
    } catch (error) {
      deps.log.error('a child that is to stop is left to its recheck', error, { ...ref });
    }
  });
  if (ended) await deps.followUps.afterOne(ended, { by }, deps);
}
