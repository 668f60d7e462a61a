import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { EndedBy } from '../../domain/ended';
import type { Run } from '../../domain/execution';
import { isAlive } from '../../domain/workflow/task-eligibility';
import type { ExecutionRef } from '../../store/execution-store';
import { graphOfRun } from './mark-task';
import { next, type State } from './next-action';
import { perform } from './perform-action';

/** Where a process goes on with a run. */
export interface GoOn {
  /** Tasks that the caller has made ready, or found unsent: they begin. */
  fresh: ReadonlySet<number>;
  /** Who would end the run by this. */
  by: EndedBy;
  /** The job was read, and is deleted. */
  jobGone?: boolean;
  /** Settle once more what a stop has left open. */
  settles?: boolean;
}

/** Lost races of one call; whatever is left then is left to the run's recheck. */
const MOST_LOST = 20;

/** Children that are gone on with at the same time. */
const CONCURRENCY = 5;

/**
 * Does what follows from a run's row, action by action, and what must follow if that is the run's end. Every
 * decision is one conditional write that returns the row, so any number of processes may go on with one run
 * at the same time. A crash anywhere is repaired by the run's recheck.
 */
export async function goOnWithRun(
  run: Run,
  { fresh, by, jobGone = false, settles = false }: GoOn,
  deps: StageDeps,
): Promise<void> {
  let state: State = { row: run, fresh, passed: new Map(), settles, jobGone, lost: 0, by, cancelled: [] };
  while (isAlive(state.row) && state.lost <= MOST_LOST) {
    const seen = { ...state, run: state.row, graph: await graphOfRun(state.row, deps) };
    const action = next(seen, deps.clock.nowMs());
    if (!action) break;
    state = await perform(action, seen, deps);
  }
  if (state.lost > MOST_LOST) {
    const { jobKey, execId } = run;
    deps.log.warn('a run that moves too fast is left to its recheck', { jobKey, execId });
  }
  await stopChildren(state.cancelled, deps);
  if (state.ended) await deps.followUps.afterOne(state.ended, { by }, deps);
}

/** Children whose cancellation was requested stop too, if they are runs; or their rechecks stop them. */
export async function stopChildren(cancelled: readonly ExecutionRef[], deps: StageDeps): Promise<void> {
  await inParallel(cancelled, CONCURRENCY, async (ref) => {
    try {
      const child = await deps.executions.get(ref);
      if (isAlive(child)) await goOnWithRun(child, { fresh: new Set(), by: 'other' }, deps);
    } catch (error) {
      deps.log.error('a child that is to stop is left to its recheck', error, { ...ref });
    }
  });
}
