import { alertingOf } from '../alerts/alerting';
import type { LifecycleChoice } from '../contracts/events';
import type { StageDeps } from '../deps';
import { endPublisher, type Events, waitingPublisher } from '../events/publish-ends';
import type { ExecutionQueue } from '../queue/execution-queue';
import { maintenanceMode } from '../queue/maintenance';
import { withDenialsOnce } from '../store/audit-store';
import { withCachedVersions } from '../store/calendar-store';
import { liveRunsOf } from '../store/live-runs';
import { withEntryDeadline } from '../store/entry-deadline';
import { withCalendars } from '../store/job-calendars';
import { withEndJobs } from '../store/with-end-jobs';
import { routeToOverflow } from '../queue/overflow';
import { queuePipeline, type SendingStage } from '../queue/pipeline';
import { raiseShards } from '../shards/raise-shards';
import { activeShardCount } from '../shards/shard-count';
import type { Log, Meter } from '../telemetry/telemetry';
import { countWritten } from '../store/dynamo/count-written';
import { UNCOUNTED, type WrittenBytes, writtenBytesOf } from '../store/written-bytes';
import { ports } from './ports';
import { type StoreParts, type Stores, storesOf } from './stores';

export interface ComposeSettings {
  /** Executions per project and second that go to the queues of their priorities, by pool. */
  userLimitsPerSec: Readonly<Record<string, number>>;
  /** Which ends are published. */
  lifecycleEvents: LifecycleChoice;
  /** How long a finished execution stays readable. */
  retentionDays: number;
  /** The scanner dispatches buckets that begin up to this far ahead. */
  horizonMs: number;
  /**
   * The configured number of shards. A stage that may run before the first tick has it, and then raises the
   * count.
   */
  shardCount?: number;
  /** The quota of runs under way. Absent: they are neither counted nor bounded. */
  liveRuns?: number;
  /** The quota of bytes that requests write on a day. Absent: they are neither counted nor bounded. */
  writtenBytesPerDay?: number;
  /** See `PipelineDeps`. */
  leadMs?: number;
  /** Where the links of messages lead. Only for stages that file messages. */
  consoleUrl?: string;
}

export interface ComposeParts extends StoreParts {
  stage: SendingStage;
  /** The execution queues of all pools, without decorators. */
  executionQueue: ExecutionQueue;
  events: Events;
  log: Log;
  meter: Meter;
  settings: ComposeSettings;
}

/** What stages work with. Each stage takes its part. */
export type Composition = StageDeps & Stores & { written: WrittenBytes };

/**
 * The only place that wires stores, queues and decorators for a stage. Production calls it once per execution
 * environment; simulation, tests and benchmarks call it over tables in memory. It needs no client of an AWS
 * service.
 */
export function compose(parts: ComposeParts): Composition {
  const { stage, executionQueue, events, clock, random, log, meter, settings } = parts;
  const { documents, counting } = countWritten(parts.documents);
  const stores = storesOf({ ...parts, documents });
  const schedule = withEntryDeadline(stores.schedule, clock);
  const calendars = withCachedVersions(stores.calendars, clock);
  const { shardCount: configured } = settings;
  const raise = async (count: number) => (await raiseShards(count, { schedule, clock })).count;
  const shardCount = activeShardCount(
    schedule,
    clock,
    configured === undefined ? undefined : () => raise(configured),
  );
  const inMaintenance = maintenanceMode(schedule, clock);
  return {
    ...stores,
    ...ports,
    written:
      settings.writtenBytesPerDay === undefined
        ? UNCOUNTED
        : writtenBytesOf(settings.writtenBytesPerDay, { usage: stores.usage, clock, log, counting }),
    calendars,
    jobs: withCalendars(withEndJobs(stores.jobs), calendars, clock),
    audit: withDenialsOnce(stores.audit),
    schedule,
    alerting: alertingOf({ ...stores, clock, consoleUrl: settings.consoleUrl ?? '' }),
    liveRuns: liveRunsOf(settings.liveRuns, { usage: stores.usage, log }),
    publishEnd: endPublisher(events, settings.lifecycleEvents),
    publishWaiting: waitingPublisher(events, settings.lifecycleEvents),
    queue: queuePipeline(executionQueue, stage, settings.userLimitsPerSec, {
      clock,
      shardCount,
      inMaintenance,
      leadMs: settings.leadMs,
    }),
    shardCount,
    inMaintenance,
    clock,
    random,
    log,
    meter,
    retentionDays: settings.retentionDays,
    horizonMs: settings.horizonMs,
  };
}

/** Dependencies for executors of the overflow queue: what they send stays in it. */
export const forOverflow = <Deps extends Pick<StageDeps, 'queue'>>(
  deps: Deps,
): Deps & { lane: 'overflow' } => ({
  ...deps,
  queue: routeToOverflow(deps.queue),
  lane: 'overflow',
});
