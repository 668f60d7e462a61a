import { instantText, SECOND_MS } from '../../core/clock/clock';
import type { CursorView, DeploymentStatusView } from '../../core/http/admin-answers';
import { type CursorKind, minuteStartMs } from '../../core/contracts/tables';
import { RECHECK_AFTER_MS } from '../../core/domain/timing';
import type { PastStop } from '../../core/store/schedule-store';
import type { ApiDeps } from '../request';

type StatusDeps = Pick<ApiDeps, 'schedule' | 'clock' | 'tickSwitch' | 'horizonMs' | 'queues' | 'deployment'>;

const STOPS = 50;

/** Whether the deployment is running, how far its shards' cursors have come, and what its queues hold. */
export async function statusView(deps: StatusDeps): Promise<DeploymentStatusView> {
  const [stop, tick, { count }, queues, stops] = await Promise.all([
    deps.schedule.readMaintenance(),
    deps.tickSwitch.state(),
    deps.schedule.readShards(),
    deps.queues.status(),
    deps.schedule.listStops(STOPS),
  ]);
  const [scan, sweep] = await Promise.all([
    cursorView('scan', count, deps),
    cursorView('sweep', count, deps),
  ]);
  return {
    state: stop ? 'stopped' : 'running',
    stoppedAt: stop ? instantText(stop.sinceMs) : null,
    stoppedBy: stop?.by ?? null,
    tick,
    shards: count,
    scan,
    sweep,
    queues: queues.map((queue) => ({ ...queue, oldestSec: queue.waiting === 0 ? 0 : null })),
    stops: stops.map(stopView),
    dashboardUrl: deps.deployment.dashboardUrl,
  };
}

const stopView = ({
  sinceMs,
  by,
  reason,
  startedAtMs,
  startedBy,
}: PastStop): DeploymentStatusView['stops'][number] => ({
  stoppedAt: instantText(sinceMs),
  startedAt: startedAtMs === undefined ? null : instantText(startedAtMs),
  by,
  startedBy: startedBy ?? null,
  reason: reason ?? null,
});

/** The position of each shard's cursor, and the lag of the one that is furthest behind. */
async function cursorView(
  kind: CursorKind,
  shardCount: number,
  deps: Pick<StatusDeps, 'schedule' | 'clock' | 'horizonMs'>,
): Promise<CursorView> {
  const all = Array.from({ length: shardCount }, (_, shard) => shard);
  const cursors = await deps.schedule.readCursors(kind, all);
  const wantedMs = deps.clock.nowMs() + aheadMs(kind, deps.horizonMs);
  const shards = all.map((shard) => {
    const cursor = cursors.get(shard);
    if (!cursor) return { shard, at: null, lagSec: null };
    // The cursor's bucket is in progress and ends a minute after its start: until then, nothing is behind.
    const behindMs = wantedMs - minuteStartMs(cursor.minute + 1);
    return {
      shard,
      at: instantText(minuteStartMs(cursor.minute)),
      lagSec: Math.max(0, Math.round(behindMs / SECOND_MS)),
    };
  });
  const lags = shards.map(({ lagSec }) => lagSec).filter((lagSec) => lagSec !== null);
  return { lagSec: lags.length > 0 ? Math.max(...lags) : null, shards };
}

/** How far ahead of now a cursor without lag is; a sweep cursor is behind now. */
const aheadMs = (kind: CursorKind, horizonMs: number): number =>
  kind === 'scan' ? horizonMs : -RECHECK_AFTER_MS;
