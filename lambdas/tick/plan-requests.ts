import type { Clock } from '../core/clock/clock';
import {
  MESSAGE_VERSION,
  type ScanRequest,
  type SweepRequest,
  type TickEvent,
} from '../core/contracts/messages';
import { raiseShards } from '../core/shards/raise-shards';
import type { RequestQueue } from '../core/queue/request-queue';
import type { ScheduleStore } from '../core/store/schedule-store';

export interface TickDeps {
  schedule: ScheduleStore;
  clock: Clock;
  scanQueue: RequestQueue<ScanRequest>;
  sweepQueue: RequestQueue<SweepRequest>;
}

/** Sweep requests of one tick: every 10 s over two minutes, so that a missed tick is covered by its neighbours. */
const SWEEP_DELAYS_SEC = Array.from({ length: 12 }, (_, index) => index * 10);

/** Entries in one bucket up to which shards share one request, and the most shards that do. */
const SHARED_ENTRIES = 500;
const SHARED_SHARDS = 16;

/**
 * One tick: brings the shards in force up to the configured number, then asks for a scan (or the sweeps of the next two
 * minutes) of every shard. Carries no time and keeps no state: a tick that comes late, twice or not at all is made
 * up for by the cursors.
 */
export async function tick(
  event: TickEvent,
  shardCount: number,
  deps: TickDeps,
): Promise<{ requests: number; shards: number }> {
  const { count, cursors } = await raiseShards(shardCount, deps);
  const busy = new Map(cursors.map((cursor) => [cursor.shard, cursor.entriesInLastBucket]));
  const groups = shareRequests(
    Array.from({ length: count }, (_, shard) => ({ shard, entriesInLastBucket: busy.get(shard) ?? 0 })),
  );
  const requests = groups.map((shards) => ({ v: MESSAGE_VERSION, shards }) as const);
  if (event.kind === 'scan') {
    await deps.scanQueue.send(requests.map((request) => ({ request, delaySec: 0 })));
    return { requests: requests.length, shards: count };
  }
  const sweeps = SWEEP_DELAYS_SEC.flatMap((delaySec) => requests.map((request) => ({ request, delaySec })));
  await deps.sweepQueue.send(sweeps);
  return { requests: sweeps.length, shards: count };
}

/** Quiet shards share a request; a busy one has its own. */
export function shareRequests(shards: readonly { shard: number; entriesInLastBucket: number }[]): number[][] {
  const groups: { shards: number[]; entries: number }[] = [];
  for (const { shard, entriesInLastBucket: busy } of shards) {
    const open = groups.at(-1);
    if (open && open.shards.length < SHARED_SHARDS && open.entries + busy <= SHARED_ENTRIES) {
      open.shards.push(shard);
      open.entries += busy;
    } else {
      groups.push({ shards: [shard], entries: busy });
    }
  }
  return groups.map((group) => group.shards);
}
