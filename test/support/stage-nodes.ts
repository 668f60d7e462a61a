import type { ApiDeps } from '../../lambdas/api/request';
import { recordedTraces } from '../../lambdas/api/http/recorded-traces';
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
import { sweeperPorts } from '../../lambdas/sweeper/ports';
import type { SweeperDeps } from '../../lambdas/sweeper/recheck';
import type { TickDeps } from '../../lambdas/tick/plan-requests';
import { TABLES } from './dynamo/memory-backend';
import { type Call, MemoryDynamo } from './dynamo/memory-dynamo';
import type { MemoryTables } from './dynamo/memory-tables';
import type { FakeErrands } from './fake-errands';
import type { FakeRandom } from './fake-random';
import { withIncidents } from './incident-calls';
import { laneLimitDeps } from './lane-limits';
import type { MemoryQueue } from './memory-queue';
import { noQuotas } from './no-quotas';
import type { RecordingLog } from './recording-log';
import type { RecordingMeter } from './recording-meter';
import { checkEvent, checkQueueCall, checkTableCall, type StageName } from './stage-permissions';
import { apiSurroundings, executorSurroundings, traceHeadersWith } from './surroundings';
import type { WorldOptions } from './world-options';

/** What any stage is made with. */
export type NodeDeps = ExecutorDeps & SweeperDeps & ApiDeps & Pick<AuditorDeps, 'usage'>;

/**
 * Called before a process of a stage calls the tables, or sends messages (`SEND`). `kill` ends the process
 * there. It is the same function for all calls of one process.
 */
export type OnCall = (stage: SendingStage, call: Call, kill: () => void) => void;

/** The command of a send, in a `Call`. Its input has the `messages`. */
export const SEND = 'SendMessages';

/** Passes on the work of a process while it lives. */
type Alive = <T>(work: Promise<T>) => Promise<T>;

const forever = () => new Promise<never>(() => undefined);

/** What all processes of a world share. */
export interface SharedParts extends Pick<
  WorldOptions,
  'userSharePerSec' | 'laneLimit' | 'liveRuns' | 'maxAttempts' | 'sampling' | 'packs'
> {
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
  errands: FakeErrands;
  /** Sees every call of a stage to the tables, and every send. May kill the stage's process there. */
  onCall: OnCall;
  retentionDays: number;
  horizonMs: number;
}

const noEvents: Events = { put: () => undefined };

/** The processes of the stages, each under the role that the template gives its stage. */
export class StageNodes {
  private readonly nodes = new Map<SendingStage, NodeDeps>();

  constructor(private readonly parts: SharedParts) {
    parts.errands.node = () => this.of('watcher');
  }

  /** A process that may do anything, for the tests themselves. */
  unrestricted(): NodeDeps {
    const { dynamo, clock, queue } = this.parts;
    return this.compose('api', dynamo, clock, queue, noEvents);
  }

  /** The one process of a stage, until it is killed: then another one. */
  of(stage: SendingStage): NodeDeps {
    const known = this.nodes.get(stage);
    if (known) return known;
    const made = this.mortal(stage, () => this.nodes.delete(stage));
    this.nodes.set(stage, made);
    return made;
  }

  /** Ends all processes, and starts those of another deployment when they are needed. */
  deploy(change: Pick<SharedParts, 'packs'>): void {
    Object.assign(this.parts, change);
    this.nodes.clear();
  }

  /** The tick, which sends no executions. */
  tick(): Pick<TickDeps, 'schedule' | 'clock'> {
    const { clock, random } = this.parts;
    const documents = this.clientOf(
      'tick',
      () => undefined,
      (work) => work,
    );
    const { schedule } = storesOf({ documents, heartbeats: documents, tables: TABLES, clock, random });
    return { schedule, clock };
  }

  /** An executor of its own. */
  executor = (): NodeDeps => this.mortal('executor', () => undefined);

  /** A process that can be killed. From then on it never goes on, wherever it waits. */
  private mortal(stage: SendingStage, onDeath: () => void): NodeDeps {
    let dead = false;
    const alive: Alive = (work) => (dead ? forever() : work.then((value) => (dead ? forever() : value)));
    const kill = () => {
      dead = true;
      onDeath();
    };
    const { clock: shared, onCall } = this.parts;
    const clock: Clock = {
      nowMs: () => shared.nowMs(),
      monotonicMs: () => shared.monotonicMs(),
      sleep: (ms, signal) => alive(shared.sleep(ms, signal)),
    };
    const restricted = this.queueOf(stage);
    const queue: ExecutionQueue = {
      ...restricted,
      send: async (messages) => {
        const call = { command: SEND, input: { messages }, attempt: 1 };
        if (messages.length > 0) onCall(stage, call, kill);
        await alive(Promise.resolve());
        await restricted.send(messages);
      },
    };
    const documents = this.clientOf(stage, (call) => onCall(stage, call, kill), alive);
    const deps = this.compose(stage, documents, clock, queue, eventsOf(stage));
    return { ...deps, call: (...call) => alive(deps.call(...call)) };
  }

  private clientOf(stage: StageName, onCall: (call: Call) => void, alive: Alive): MemoryDynamo {
    const { tables, dynamo, maxAttempts } = this.parts;
    return new MemoryDynamo(tables, {
      maxAttempts,
      faults: {
        before: async (call) => {
          checkTableCall(stage, call);
          onCall(call);
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
    const { random, log, meter, retentionDays, horizonMs, liveRuns, tickSwitch, call } = this.parts;
    const { userSharePerSec, laneLimit, packs, sampling = null } = this.parts;
    const composed = compose({
      stage,
      documents,
      heartbeats: documents,
      tables: TABLES,
      packs,
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
        liveRuns,
        consoleUrl: 'https://api.test/console',
      },
    });
    return {
      ...composed,
      ...apiSurroundings,
      ...executorSurroundings,
      ...sweeperPorts,
      probes: this.parts.errands.ofSweeper,
      errandStarts: this.parts.errands.starts,
      ...laneLimitDeps(composed, laneLimit),
      quotas: noQuotas.quotas,
      sampling,
      ...(sampling && { mayRecord: recordedTraces(sampling, clock) }),
      traceHeaders: traceHeadersWith(sampling),
      tickSwitch,
      call: withIncidents(call, composed),
    };
  }
}

const eventsOf = (stage: StageName): Events => ({ put: () => checkEvent(stage) });
