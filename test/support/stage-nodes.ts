import type { ApiDeps } from '../../lambdas/api/request';
import type { AuditorDeps } from '../../lambdas/auditor/audit-jobs';
import type { Clock } from '../../lambdas/core/clock/clock';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { Events } from '../../lambdas/core/events/publish-ends';
import { compose } from '../../lambdas/core/platform/compose';
import { storesOf } from '../../lambdas/core/platform/stores';
import type { ExecutionQueue } from '../../lambdas/core/queue/execution-queue';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import type { TickDeps } from '../../lambdas/tick/plan-requests';
import { TABLES } from './dynamo/memory-backend';
import { type Call, MemoryDynamo } from './dynamo/memory-dynamo';
import type { MemoryTables } from './dynamo/memory-tables';
import type { FakeRandom } from './fake-random';
import type { MemoryQueue } from './memory-queue';
import { noQuotas } from './no-quotas';
import type { RecordingLog } from './recording-log';
import type { RecordingMeter } from './recording-meter';
import { checkEvent, checkQueueCall, checkTableCall, type StageName } from './stage-permissions';
import { apiSurroundings, executorSurroundings } from './surroundings';

/** What any stage is made with. */
export type NodeDeps = ExecutorDeps & ApiDeps & Pick<AuditorDeps, 'usage'>;

/** What all processes of a world share. */
export interface SharedParts {
  clock: Clock;
  random: FakeRandom;
  log: RecordingLog;
  meter: RecordingMeter;
  tables: MemoryTables;
  /** The client of the tests themselves. Its faults are every process's. */
  dynamo: MemoryDynamo;
  queue: MemoryQueue;
  tickSwitch: ApiDeps['tickSwitch'];
  call: CallTarget;
  /** Sees every call of an executor to the tables, and may kill it there. */
  onExecutorCall(call: Call, kill: () => void): void;
  retentionDays: number;
  horizonMs: number;
  userSharePerSec: number | undefined;
  maxAttempts: number | undefined;
}

const noEvents: Events = { put: () => undefined };

/** The processes of the stages, each under the role that the template gives its stage. */
export class StageNodes {
  private readonly nodes = new Map<SendingStage, NodeDeps>();

  constructor(private readonly parts: SharedParts) {}

  /** A process that may do anything, for the tests themselves. */
  unrestricted(): NodeDeps {
    const { dynamo, clock, queue } = this.parts;
    return this.compose('api', dynamo, clock, queue, noEvents);
  }

  /** The one process of a stage. */
  of(stage: SendingStage): NodeDeps {
    const known = this.nodes.get(stage);
    if (known) return known;
    const { clock } = this.parts;
    const made = this.compose(stage, this.clientOf(stage), clock, this.queueOf(stage), eventsOf(stage));
    this.nodes.set(stage, made);
    return made;
  }

  /** The tick, which sends no executions. */
  tick(): Pick<TickDeps, 'schedule' | 'clock'> {
    const { clock, random } = this.parts;
    const documents = this.clientOf('tick');
    const { schedule } = storesOf({ documents, heartbeats: documents, tables: TABLES, clock, random });
    return { schedule, clock };
  }

  /** An executor that can be killed. From then on it never goes on, wherever it waits. */
  mortalExecutor(): NodeDeps {
    let dead = false;
    const alive = <T>(work: Promise<T>): Promise<T> =>
      dead
        ? new Promise(() => undefined)
        : work.then((value) => (dead ? new Promise(() => undefined) : value));
    const kill = () => {
      dead = true;
    };
    const { tables, dynamo, clock: shared, maxAttempts } = this.parts;
    const mortal = new MemoryDynamo(tables, {
      maxAttempts,
      faults: {
        before: async (call) => {
          checkTableCall('executor', call);
          this.parts.onExecutorCall(call, kill);
          await alive(Promise.resolve());
          await dynamo.faults.before?.(call);
        },
        after: async (call) => {
          await dynamo.faults.after?.(call);
          await alive(Promise.resolve());
        },
        leaves: (...key) => dynamo.faults.leaves?.(...key) ?? false,
        backOff: (call) => dynamo.faults.backOff?.(call),
      },
    });
    const clock: Clock = {
      nowMs: () => shared.nowMs(),
      monotonicMs: () => shared.monotonicMs(),
      sleep: (ms, signal) => alive(shared.sleep(ms, signal)),
    };
    const restricted = this.queueOf('executor');
    const queue: ExecutionQueue = {
      ...restricted,
      send: (messages) => alive(Promise.resolve()).then(() => restricted.send(messages)),
    };
    const deps = this.compose('executor', mortal, clock, queue, eventsOf('executor'));
    return { ...deps, call: (...call) => alive(deps.call(...call)) };
  }

  private clientOf(stage: StageName): MemoryDynamo {
    const { tables, dynamo, maxAttempts } = this.parts;
    return new MemoryDynamo(tables, {
      maxAttempts,
      faults: {
        before: (call) => {
          checkTableCall(stage, call);
          return dynamo.faults.before?.(call);
        },
        after: (call) => dynamo.faults.after?.(call),
        leaves: (...key) => dynamo.faults.leaves?.(...key) ?? false,
        backOff: (call) => dynamo.faults.backOff?.(call),
      },
    });
  }

  private queueOf(stage: StageName): ExecutionQueue {
    const { queue } = this.parts;
    return {
      send: async (messages) => {
        if (messages.length > 0) checkQueueCall(stage, 'SendMessage');
        return queue.send(messages);
      },
      has: (pool) => queue.has(pool),
      backlog: async (pool, lane) => {
        checkQueueCall(stage, 'GetQueueAttributes');
        return queue.backlog(pool, lane);
      },
    };
  }

  private compose(
    stage: SendingStage,
    documents: MemoryDynamo,
    clock: Clock,
    executionQueue: ExecutionQueue,
    events: Events,
  ): NodeDeps {
    const { random, log, meter, retentionDays, horizonMs, userSharePerSec, tickSwitch, call } = this.parts;
    return {
      ...compose({
        stage,
        documents,
        heartbeats: documents,
        tables: TABLES,
        executionQueue,
        events,
        clock,
        random,
        log,
        meter,
        settings: {
          userLimitsPerSec: userSharePerSec === undefined ? {} : { [DEFAULT_POOL]: userSharePerSec },
          lifecycleEvents: 'all',
          retentionDays,
          horizonMs,
        },
      }),
      ...apiSurroundings,
      ...executorSurroundings,
      quotas: noQuotas.quotas,
      tickSwitch,
      call,
    };
  }
}

const eventsOf = (stage: StageName): Events => ({ put: () => checkEvent(stage) });
