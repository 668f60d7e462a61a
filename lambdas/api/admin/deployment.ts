import { EmptyBody } from '../../core/http/job';
import { RedriveBody, StopBody } from '../../core/http/operator-bodies';
import { withTimeout } from '../../core/async/with-timeout';
import { instantText, SECOND_MS } from '../../core/clock/clock';
import type { CursorView, DeploymentStatusView } from '../../core/http/openapi/admin';
import { type CursorKind, minuteStartMs } from '../../core/contracts/tables';
import { RECHECK_AFTER_MS } from '../../core/domain/timing';
import type { QueueStatus } from '../../core/queue/queue-admin';
import type { PastStop } from '../../core/store/schedule-store';
import type { OperationHandler, ApiDeps } from '../request';
import { audited } from '../audit/audited';
import { readBody, readOptionalBody } from '../http/parse-request';
import { conflict, invalidField } from '../http/problem';

/** 200 with the state of the deployment. */
export const getStatus: OperationHandler = async (_request, deps) => ({
  status: 200,
  body: await statusView(deps),
});

/**
 * 200: stops planned work for maintenance. The row is written first: it stops all sends, even if turning the
 * tick off fails. It is then put on record. A repeat completes a stop that failed half-way, and changes
 * nothing else.
 */
export const stopDeployment: OperationHandler = async (request, deps) => {
  const { reason } = readOptionalBody(request, StopBody);
  const now = { sinceMs: deps.clock.nowMs(), by: request.by.sub, ...(reason !== undefined && { reason }) };
  const stop = (await deps.schedule.readMaintenance()) ?? now;
  await deps.schedule.writeMaintenance(stop);
  await deps.schedule.putStop(stop);
  await deps.tickSwitch.set('off');
  deps.log.warn('deployment stopped', { by: stop.by });
  return { status: 200, body: await statusView(deps) };
};

/**
 * 200: ends maintenance, in the reverse order of the stop. Once the row is gone, the next scans and sweeps
 * catch up. The misfire policy of each job decides about the occurrences that fell due meanwhile.
 */
export const startDeployment: OperationHandler = async (request, deps) => {
  readOptionalBody(request, EmptyBody);
  await deps.tickSwitch.set('on');
  const stop = await deps.schedule.readMaintenance();
  if (stop)
    await deps.schedule.putStop({ ...stop, startedAtMs: deps.clock.nowMs(), startedBy: request.by.sub });
  await deps.schedule.writeMaintenance(undefined);
  deps.log.warn('deployment started', { by: request.by.sub });
  return { status: 200, body: await statusView(deps) };
};

/**
 * 200: moves dead letters back to their queue, and says how many. Safe at any time but maintenance: a message
 * is only a hint, and executors drop what they receive in maintenance mode. So that is 409.
 */
export const redriveQueue: OperationHandler = async (request, deps) => {
  const { queues, schedule, log } = deps;
  const { queue, max } = readBody(request, RedriveBody);
  if (!queues.names.includes(queue))
    throw invalidField('queue', `is no queue of this deployment: must be one of ${queues.names.join(', ')}`);
  if (await schedule.readMaintenance())
    throw conflict(
      'maintenance mode is on, and executors would drop the messages; start the deployment first',
    );
  const change = { what: 'queue.redriven', resource: queue, detail: `at most ${max} messages` } as const;
  const moved = await audited(request, change, () => queues.redrive(queue, max), deps);
  log.warn('dead letters moved back', { by: request.by.sub, queue, moved });
  return { status: 200, body: { queue, moved } };
};

type StatusDeps = Pick<
  ApiDeps,
  'schedule' | 'clock' | 'log' | 'tickSwitch' | 'horizonMs' | 'queues' | 'deployment'
>;

const STOPS = 50;
/** The status has everything else by then, and its reader waits. */
const AGES_WITHIN_MS = 2 * SECOND_MS;

/** Whether the deployment is running, how far its shards' cursors have come, and what its queues hold. */
async function statusView(deps: StatusDeps): Promise<DeploymentStatusView> {
  const [stop, tick, { count }, queues, stops] = await Promise.all([
    deps.schedule.readMaintenance(),
    deps.tickSwitch.state(),
    deps.schedule.readShards(),
    deps.queues.status(),
    deps.schedule.listStops(STOPS),
  ]);
  const [scan, sweep, oldestSec] = await Promise.all([
    cursorView('scan', count, deps),
    cursorView('sweep', count, deps),
    oldestSecOf(queues, deps),
  ]);
  return {
    state: stop ? 'stopped' : 'running',
    stoppedAt: stop ? instantText(stop.sinceMs) : null,
    stoppedBy: stop?.by ?? null,
    tick,
    shards: count,
    scan,
    sweep,
    queues: queues.map((queue) => ({
      ...queue,
      oldestSec: queue.waiting === 0 ? 0 : (oldestSec.get(queue.name) ?? null),
    })),
    stops: stops.map(stopView),
    dashboardUrl: deps.deployment.dashboardUrl,
  };
}

/** The ages of the queues in which something waits. Never rejects: the rest tells much without them. */
async function oldestSecOf(
  queues: readonly QueueStatus[],
  { queues: admin, clock, log }: Pick<StatusDeps, 'queues' | 'clock' | 'log'>,
): Promise<ReadonlyMap<string, number>> {
  const waiting = queues.filter(({ waiting: count }) => count > 0).map(({ name }) => name);
  if (waiting.length === 0) return new Map();
  try {
    const ask = (signal: AbortSignal) => admin.oldestSec(waiting, signal);
    const known = await withTimeout(AGES_WITHIN_MS, ask, clock);
    const unknown = waiting.filter((name) => !known.has(name));
    if (unknown.length > 0) log.info('CloudWatch has no age of messages yet', { queues: unknown });
    return known;
  } catch (error) {
    log.warn('ages of messages are unknown', { queues: waiting, error });
    return new Map();
  }
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
