import { perProject } from '../async/per-project';
import { type Clock, SECOND_MS } from '../clock/clock';
import { NO_RECENT_LOAD, type RecentLoad } from '../domain/call-load';
import type { CallLoadStore } from '../store/call-load-store';
import type { Log } from '../telemetry/telemetry';

/** For how long a process relies on what it has read. */
const KNOWN_FOR_MS = 2 * SECOND_MS;
/** The same, if it has sent as many messages as the limit. */
const KNOWN_FOR_MANY_MS = SECOND_MS / 5;

interface Known {
  load: Promise<RecentLoad>;
  /** Monotonic time of the read. */
  readAtMs: number;
  /** Messages that it has been asked for. */
  asked: number;
}

export interface KnownLoadsDeps {
  callLoads: Pick<CallLoadStore, 'recent'>;
  clock: Pick<Clock, 'monotonicMs'>;
  log: Log;
}

/**
 * The recent load of a project in a pool, asked for one message. It was read in the last two seconds. After
 * `limit` messages, it was read in the last 0.2 s: so many may start before it says that calls hold
 * executors.
 */
export type KnownLoads = (of: { userId: string; pool: string }, limit: number) => Promise<RecentLoad>;

/** Never rejects: a load that cannot be read counts as none. Cost of a read: half a read unit. */
export function knownLoads({ callLoads, clock, log }: KnownLoadsDeps): KnownLoads {
  const poolsOf = perProject(() => new Map<string, Known>());
  return ({ userId, pool }, limit) => {
    const pools = poolsOf(userId);
    const known = pools.get(pool);
    const readBeforeMs = known ? clock.monotonicMs() - known.readAtMs : Number.POSITIVE_INFINITY;
    if (known && readBeforeMs < (known.asked < limit ? KNOWN_FOR_MS : KNOWN_FOR_MANY_MS)) {
      known.asked += 1;
      return known.load;
    }
    const load = callLoads.recent({ userId, pool }).catch((error: unknown) => {
      log.warn('load of a project is unknown', { userId, pool, error });
      return NO_RECENT_LOAD;
    });
    pools.set(pool, { load, readAtMs: clock.monotonicMs(), asked: 1 });
    return load;
  };
}
