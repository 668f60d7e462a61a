import { perProject } from '../async/per-project';
import { NO_USAGE } from '../quotas/usage';
import type { Log } from '../telemetry/telemetry';
import type { UsageStore } from './usage-store';

/** How many runs of workflows a project has under way. `countsAsLive` says which. */
export interface LiveRuns {
  /**
   * Counts a run that has started (1) or ended (-1). Never throws: a count that is lost is corrected by the
   * auditor.
   */
  count(project: string, change: 1 | -1): Promise<void>;
  /** How many more runs the project may start now; at least 0. Cost: a read unit. */
  room(project: string): Promise<number>;
}

/** Share of the quota that one process may leave unsaved. */
const UNSAVED_SHARE = 0.001;

/**
 * The count is kept in the project's row of usage. A process adds to it in steps of a thousandth of the
 * quota, so a run costs hardly any write for it. A run that starts and ends in one process costs none.
 *
 * @param allowed the quota; absent: nothing is counted, and there is always room
 */
export function liveRunsOf(
  allowed: number | undefined,
  { usage, log }: { usage: Pick<UsageStore, 'get' | 'add'>; log: Log },
): LiveRuns {
  if (allowed === undefined)
    return { count: async () => undefined, room: async () => Number.POSITIVE_INFINITY };
  const knownOf = perProject(() => ({ unsaved: 0 }));
  const step = Math.max(1, Math.floor(allowed * UNSAVED_SHARE));
  return {
    async count(project, change) {
      const known = knownOf(project);
      known.unsaved += change;
      if (Math.abs(known.unsaved) < step) return;
      const liveRuns = known.unsaved;
      // Reset before the write: if only its response is lost, the change must not count twice.
      known.unsaved = 0;
      try {
        await usage.add(project, { ...NO_USAGE, liveRuns });
      } catch (error) {
        log.warn('live runs are left to the count of the auditor', { project, liveRuns, error });
      }
    },
    async room(project) {
      const { liveRuns } = await usage.get(project, { consistent: true });
      return Math.max(0, allowed - liveRuns - knownOf(project).unsaved);
    },
  };
}
