import { perProject } from '../core/async/per-project';
import { type Clock, SECOND_MS } from '../core/clock/clock';
import { type ExecutionMessage, isForWorkers } from '../core/contracts/messages';
import type { Priority } from '../core/contracts/pools';
import { userPartOf } from '../core/contracts/tables';
import { executorsHeld, NO_RECENT_LOAD, type RecentLoad } from '../core/domain/call-load';
import type { CallLoadStore } from '../core/store/call-load-store';
import type { Log } from '../core/telemetry/telemetry';

/** Executors of each priority's lane that the calls of one project may hold, by pool. */
export type LaneLimits = Readonly<Record<string, Readonly<Record<Priority, number>>>>;

/** For how long a process relies on what it has read. */
const KNOWN_FOR_MS = SECOND_MS;

export interface LaneLimitDeps {
  callLoads: Pick<CallLoadStore, 'recent'>;
  clock: Pick<Clock, 'monotonicMs' | 'nowMs'>;
  log: Log;
}

/** Whether the project of a message exceeds its limit in the message's lane. Never rejects. */
export type ExceedsLaneLimit = (message: ExecutionMessage) => Promise<boolean>;

/**
 * Whether calls of a project hold more executors of its pool than its limit in a lane. Long calls and offers
 * to workers have no limit. A load that cannot be read counts as none. Cost: half a read unit a second, for
 * each project that the process has messages of.
 */
export function exceedsLaneLimit(
  limits: LaneLimits,
  { callLoads, clock, log }: LaneLimitDeps,
): ExceedsLaneLimit {
  const knownOf = perProject((): { load?: Promise<RecentLoad>; readAtMs: number } => ({ readAtMs: 0 }));
  const loadOf = (userId: string, pool: string): Promise<RecentLoad> => {
    const known = knownOf(`${pool}/${userId}`);
    if (known.load && clock.monotonicMs() - known.readAtMs < KNOWN_FOR_MS) return known.load;
    known.readAtMs = clock.monotonicMs();
    known.load = callLoads.recent({ userId, pool }).catch((error: unknown) => {
      log.warn('load of a project is unknown', { userId, pool, error });
      return NO_RECENT_LOAD;
    });
    return known.load;
  };
  return async (message) => {
    const limit = limits[message.pool]?.[message.priority];
    if (limit === undefined || message.longCall || isForWorkers(message)) return false;
    const load = await loadOf(userPartOf(message.jobKey), message.pool);
    return executorsHeld(load, clock.nowMs()) > limit;
  };
}
