import { type Clock, MINUTE_MS, SECOND_MS } from '../core/clock/clock';
import {
  MESSAGE_VERSION,
  type ScanRequest,
  type SweepRequest,
  type TickEvent,
} from '../core/contracts/messages';
import { CLOCK_SKEW_MS } from '../core/domain/timing';
import type { RequestQueue } from '../core/queue/request-queue';
import { raiseShards } from '../core/shards/raise-shards';
import type { ScheduleStore } from '../core/store/schedule-store';

export interface TickDeps {
  schedule: ScheduleStore;
  clock: Clock;
  scanQueue: RequestQueue<ScanRequest>;
  sweepQueue: RequestQueue<SweepRequest>;
  /** Requests from before this are gone with their queue. @default none are */
  queuesSinceMs?: number | undefined;
}

const SWEEP_EVERY_MS = 10 * SECOND_MS;
/** Each tick comes anywhere within its minute, or is missing: two of them may be two minutes apart. */
const SWEEPS_AHEAD_MS = 2 * MINUTE_MS;

/** Entries in one bucket up to which shards share one request, and the most shards that do. */
const SHARED_ENTRIES = 500;
const SHARED_SHARDS = 16;

/**
 * One tick: raises the active shard count to the configured one, then requests a scan, or sweeps, of every
 * shard. The event carries no time. Cursors make up for a tick that comes late, twice or not at all.
 */
export async function tick(
  event: TickEvent,
  shardCount: number,
  { schedule, clock, scanQueue, sweepQueue, queuesSinceMs }: TickDeps,
): Promise<{ requests: number; shards: number }> {
  const { count, cursors, sweepsRequestedThroughMs } = await raiseShards(shardCount, { schedule, clock });
  const entriesOf = new Map(cursors.map((cursor) => [cursor.shard, cursor.entriesInLastBucket]));
  const groups = shareRequests(
    Array.from({ length: count }, (_, shard) => ({ shard, entriesInLastBucket: entriesOf.get(shard) ?? 0 })),
  );
  const requests = groups.map((shards) => ({ v: MESSAGE_VERSION, shards }) as const);
  if (event.kind === 'scan') {
    await scanQueue.send(requests.map((request) => ({ request, delaySec: 0 })));
    return { requests: requests.length, shards: count };
  }
  const nowMs = clock.nowMs();
  const sweepsMs = sweepTimes(nowMs, sweepsRequestedThroughMs, queuesSinceMs);
  const sweeps = sweepsMs.flatMap((atMs) =>
    requests.map((request) => ({
      request,
      delaySec: Math.round((atMs - nowMs) / SECOND_MS),
    })),
  );
  await sweepQueue.send(sweeps);
  // Recorded afterwards: a tick that dies before this is repeated by the next one.
  if (sweeps.length > 0) await schedule.recordSweepRequests(count, sweepsMs.at(-1)!);
  return { requests: sweeps.length, shards: count };
}

/**
 * When to sweep: every ten seconds for two minutes, without the sweeps that an earlier tick has requested.
 *
 * @param throughMs the last of those. One that no earlier tick can have requested, by this clock, does not
 *   count. Nor does one that a tick before `queuesSinceMs` may have requested
 */
export function sweepTimes(nowMs: number, throughMs?: number, queuesSinceMs = 0): number[] {
  const endMs = nowMs + SWEEPS_AHEAD_MS;
  const isPossible =
    throughMs !== undefined &&
    throughMs < endMs + CLOCK_SKEW_MS &&
    throughMs - SWEEPS_AHEAD_MS >= queuesSinceMs;
  const times: number[] = [];
  for (
    let atMs = isPossible ? Math.max(nowMs, throughMs + SWEEP_EVERY_MS) : nowMs;
    atMs < endMs;
    atMs += SWEEP_EVERY_MS
  )
    times.push(atMs);
  return times;
}

/** Groups shards by request: those with few entries share one, a shard with many has its own. */
export function shareRequests(shards: readonly { shard: number; entriesInLastBucket: number }[]): number[][] {
  const groups: { shards: number[]; entries: number }[] = [];
  for (const { shard, entriesInLastBucket } of shards) {
    const last = groups.at(-1);
    if (last && last.shards.length < SHARED_SHARDS && last.entries + entriesInLastBucket <= SHARED_ENTRIES) {
      last.shards.push(shard);
      last.entries += entriesInLastBucket;
    } else {
      groups.push({ shards: [shard], entries: entriesInLastBucket });
    }
  }
  return groups.map((group) => group.shards);
}
