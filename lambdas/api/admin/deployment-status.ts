import { SECOND_MS } from '../../core/clock/clock';
import type { CursorView, DeploymentStatusView } from '../../core/http/answers';
import { type CursorKind, minuteStartMs } from '../../core/contracts/tables';
import { RECHECK_AFTER_MS } from '../../core/domain/timing';
import { instantText } from '../http/instants';
import type { ApiDeps } from '../request';

type StatusDeps = Pick<ApiDeps, 'schedule' | 'clock' | 'tickSwitch' | 'horizonMs'>;

/** Where a cursor that keeps up stands, from now. */
const keepsUpMs = (kind: CursorKind, { horizonMs }: Pick<StatusDeps, 'horizonMs'>): number =>
  kind === 'scan' ? horizonMs : -RECHECK_AFTER_MS;

/** How the deployment is: whether it works, and how far its shards have come. */
export async function statusView(deps: StatusDeps): Promise<DeploymentStatusView> {
  const [stop, tick, { count }] = await Promise.all([
    deps.schedule.readMaintenance(),
    deps.tickSwitch.state(),
    deps.schedule.readShards(),
  ]);
  const [scan, sweep] = await Promise.all([cursorsOf('scan', count, deps), cursorsOf('sweep', count, deps)]);
  return {
    state: stop ? 'stopped' : 'running',
    stoppedAt: stop ? instantText(stop.sinceMs) : null,
    stoppedBy: stop?.by ?? null,
    tick,
    shards: count,
    scan,
    sweep,
  };
}

/** The cursors of one kind: the lag of the one that is furthest behind, and where each stands. */
async function cursorsOf(
  kind: CursorKind,
  shards: number,
  deps: Pick<StatusDeps, 'schedule' | 'clock' | 'horizonMs'>,
): Promise<CursorView> {
  const all = Array.from({ length: shards }, (_, shard) => shard);
  const cursors = await deps.schedule.readCursors(kind, all);
  const wantedMs = deps.clock.nowMs() + keepsUpMs(kind, deps);
  const places = all.map((shard) => {
    const cursor = cursors.get(shard);
    if (!cursor) return { shard, at: null, lagSec: null };
    // The bucket that is being worked on ends a minute after its start: up to there, nothing is behind.
    const behindMs = wantedMs - minuteStartMs(cursor.minute + 1);
    return {
      shard,
      at: instantText(minuteStartMs(cursor.minute)),
      lagSec: Math.max(0, Math.round(behindMs / SECOND_MS)),
    };
  });
  const lags = places.map(({ lagSec }) => lagSec).filter((lagSec) => lagSec !== null);
  return { lagSec: lags.length > 0 ? Math.max(...lags) : null, shards: places };
}
