import { handleRequest } from '../../lambdas/api/handle-request';
import { withSchedule } from '../../lambdas/api/jobs/job-changes';
import { insertOrChange } from '../../lambdas/api/jobs/put-job';
import { repeatOnLostRace, startChange } from '../../lambdas/api/jobs/save-job';
import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import { auditJobs } from '../../lambdas/auditor/audit-jobs';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import type { ScanRequest } from '../../lambdas/core/contracts/messages';
import { type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import type { Target } from '../../lambdas/core/domain/target';
import type { TargetResult } from '../../lambdas/core/domain/target-result';
import { forOverflow } from '../../lambdas/core/platform/compose';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import type { Delivery } from '../../lambdas/core/delivery/delivery';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../lambdas/sweeper/sweep-shards';
import { tick } from '../../lambdas/tick/plan-requests';
import { type Call, MemoryDynamo } from './dynamo/memory-dynamo';
import { MemoryTables } from './dynamo/memory-tables';
import { TABLE_KEYS } from './dynamo/table-keys';
import { FakeClock } from './fake-clock';
import { FakeErrands } from './fake-errands';
import { watched } from './filed-by-request';
import { FakeRandom } from './fake-random';
import { MemoryQueue } from './memory-queue';
import { noQuotas } from './no-quotas';
import { RecordingLog } from './recording-log';
import { RecordingMeter } from './recording-meter';
import { type NodeDeps, type OnCall, SEND, StageNodes } from './stage-nodes';
import { denied } from './stage-permissions';
import { routeOf } from './route-of';
import { callerOf } from './caller';
import type { WorldOptions } from './world-options';

/** One call as the target received it. */
export interface SeenCall {
  atMs: number;
  execId: string;
  attempt: number;
  fence: number;
  dueAtMs: number;
  /** Index of the target; 0 if there is one. */
  target: number;
}

export type Behaviour = (
  call: SeenCall,
  signal: AbortSignal,
  clock: FakeClock,
) => Promise<TargetResult> | TargetResult;

const STEP_MS = 100;
const TICK_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;
const TIME_BUDGET = { remainingMs: () => 870_000 };

// A stage may handle a denied call as any other error, so it is reported here. It is no expectation of the
// test, which needs one of its own.
afterEach(() => {
  const calls = denied.splice(0);
  if (calls.length > 0) throw new Error(calls.join(', '));
});

/**
 * The whole system on virtual time: the real stage functions over tables and queues in memory. `run` lets
 * time pass, and each part can be switched off for an outage. Every stage may do what its role in the
 * template allows. `deps` is for the tests themselves and may do anything.
 */
export class PipelineWorld {
  readonly clock = new FakeClock();
  readonly random = new FakeRandom(7);
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables: MemoryTables;
  readonly dynamo: MemoryDynamo;
  readonly queue: MemoryQueue;
  readonly calls: SeenCall[] = [];
  readonly errands = new FakeErrands();
  behaviour: Behaviour = () => ({ outcome: 'succeeded', statusCode: 200, body: 'ok' });
  readonly on = { tick: true, scan: true, sweep: true, executor: true };
  readonly deps: NodeDeps;
  /** Called with every delivery, before the target answers. */
  observe?: (delivery: Delivery, target: Target) => void;
  /** Called before every call of a stage to the tables, and every send. May kill its process there. */
  onCall?: OnCall;
  /** Called before every call of an executor to the tables. May kill the executor there. */
  onExecutorCall?: (call: Call, kill: () => void) => void;
  private readonly running = new Set<Promise<unknown>>();
  private readonly batches = new Map<Lane, number>();
  private readonly executorsPerLane: number;
  readonly nodes: StageNodes;
  private activeShards = 0;

  constructor(
    public shardCount = 2,
    retentionDays = 30,
    {
      horizonSec = HORIZON.usualSec,
      pools,
      executorsPerLane = Number.POSITIVE_INFINITY,
      ...limits
    }: WorldOptions = {},
  ) {
    this.executorsPerLane = executorsPerLane;
    this.queue = new MemoryQueue(this.clock, { visibilitySec: 5_400, ...(pools && { pools }) });
    this.tables = new MemoryTables(TABLE_KEYS, limits);
    this.dynamo = new MemoryDynamo(this.tables);
    this.nodes = new StageNodes({
      clock: this.clock,
      random: this.random,
      log: this.log,
      meter: this.meter,
      tables: this.tables,
      dynamo: this.dynamo,
      queue: this.queue,
      tickSwitch: {
        state: async () => (this.on.tick ? 'on' : 'off'),
        set: async (to) => {
          this.on.tick = to === 'on';
        },
      },
      call: (target, delivery, signal) => this.called(target, delivery, signal),
      errands: this.errands,
      onCall: (stage, call, kill) => {
        if (stage === 'executor' && call.command !== SEND) this.onExecutorCall?.(call, kill);
        this.onCall?.(stage, call, kill);
      },
      retentionDays,
      horizonMs: horizonSec * 1_000,
      ...limits,
    });
    this.deps = this.nodes.unrestricted();
  }

  /** A world after its first tick. */
  static async started(
    shardCount?: number,
    retentionDays?: number,
    options?: WorldOptions,
  ): Promise<PipelineWorld> {
    const world = new PipelineWorld(shardCount, retentionDays, options);
    await world.tick();
    return world;
  }

  /** Lets `ms` pass: ticks every minute, sweeps every 10 s, and receives messages as they become visible. */
  async run(ms: number): Promise<void> {
    await this.clock.flush(); // what has just begun may sleep, or send
    for (let leftMs = ms; leftMs > 0;) {
      const stepMs = this.idleMs(leftMs) + STEP_MS;
      await this.clock.advance(stepMs);
      leftMs -= stepMs;
      const nowMs = this.clock.nowMs();
      if (this.on.tick && nowMs % TICK_EVERY_MS === 0) this.spawn(this.tick());
      if (this.on.sweep && nowMs % SWEEP_EVERY_MS === 0) await this.sweep();
      if (this.on.executor) this.receive();
      await this.clock.flush();
    }
  }

  /** For how long nothing can happen from now on, in whole steps. It leaves one step of `leftMs`. */
  private idleMs(leftMs: number): number {
    const inMs = [this.clock.nextWakeMs(), this.on.executor ? this.queue.nextVisibleAtMs() : undefined]
      .filter((atMs) => atMs !== undefined)
      .map((atMs) => atMs - this.clock.monotonicMs());
    const quietMs = Math.min(leftMs, ...inMs);
    let idleMs = 0;
    for (; idleMs + STEP_MS < quietMs; idleMs += STEP_MS) {
      const atMs = this.clock.nowMs() + idleMs + STEP_MS;
      if (this.on.tick && atMs % TICK_EVERY_MS === 0) break;
      if (this.on.sweep && atMs % SWEEP_EVERY_MS === 0) break;
    }
    return idleMs;
  }

  async tick(): Promise<void> {
    const sweepQueue = { send: async () => undefined };
    const scanQueue = {
      send: async (requests: readonly { request: ScanRequest }[]) => {
        this.activeShards = requests.flatMap(({ request }) => request.shards).length;
      },
    };
    await tick({ kind: 'scan' }, this.shardCount, { ...this.nodes.tick(), scanQueue, sweepQueue });
    if (this.on.scan) await this.scan();
  }

  async scan(): Promise<void> {
    this.spawn(scanShards(this.shards(), this.nodes.of('scanner'), TIME_BUDGET));
    await this.clock.flush();
  }

  private shards = (): number[] => Array.from({ length: this.activeShards }, (_, shard) => shard);

  async sweep(): Promise<void> {
    this.spawn(sweepShards(this.shards(), this.nodes.of('sweeper'), TIME_BUDGET));
    await this.clock.flush();
  }

  audit = (quotaLimits = noQuotas.quotaLimits, budget = TIME_BUDGET) =>
    auditJobs({ ...this.nodes.of('auditor'), quotaLimits }, budget);

  /**
   * Gives each batch of visible messages to an executor of its own, as long as its lane has one. It
   * acknowledges what the executor does not return.
   */
  receive(): void {
    for (const lane of LANES) {
      const atWork = this.batches.get(lane) ?? 0;
      if (atWork >= this.executorsPerLane) continue;
      const batch = this.queue.receive('default', lane);
      if (batch.length === 0) continue;
      const received = batch.map(({ messageId, message }) => ({ id: messageId, message }));
      const executor = this.nodes.executor();
      const deps = lane === 'overflow' ? forOverflow(executor) : executor;
      this.batches.set(lane, atWork + 1);
      this.spawn(
        executeBatch(received, deps, TIME_BUDGET)
          .then(({ failedIds }) => {
            for (const { messageId, receiptHandle } of batch) {
              if (!failedIds.includes(messageId)) this.queue.delete(receiptHandle);
            }
          })
          .finally(() => this.batches.set(lane, this.batches.get(lane)! - 1)),
      );
    }
  }

  /** Saves a job as the API does: its entry, the job, and a dispatch ahead. */
  async create(job: Job): Promise<Job> {
    await repeatOnLostRace(undefined, async (current) =>
      insertOrChange(current, withSchedule(job), await startChange(current, this.deps), this.deps),
    );
    return job;
  }

  /** One request as API Gateway passes it on, by the user `alice` unless `more` says another caller. */
  async api(
    operation: Operation,
    params: IncomingRequest['params'] = {},
    body?: unknown,
    headers: IncomingRequest['headers'] = {},
    more: Partial<IncomingRequest> = {},
  ): Promise<ApiResponse> {
    const request: IncomingRequest = {
      route: routeOf(operation),
      requestId: 'request',
      ...callerOf('alice', 'jobs:read', 'jobs:write', 'work', 'project:admin', 'admin'),
      params,
      query: new Map(),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      ...more,
    };
    const filed = watched(operation, this.nodes.of(operation === 'claimWork' ? 'worker' : 'api'));
    const answer = await handleRequest(request, filed.deps);
    expect(filed.complaints()).toEqual([]);
    return answer;
  }

  /** Executions of a job, oldest first. */
  executions(job: Pick<Job, 'userId' | 'jobId'>): Execution[] {
    return this.tables
      .rows('executions', ({ jobId }) => jobId === jobKeyOf(job))
      .map((row) => executionOf(row))
      .sort((a, b) => (a.execId < b.execId ? -1 : 1));
  }

  /** Errors in the log, for a test that expects none. */
  errors(): unknown[] {
    return this.log.lines.filter(({ level }) => level === 'error').map((line) => [line.message, line.cause]);
  }

  private async called(target: Target, delivery: Delivery, signal: AbortSignal): Promise<TargetResult> {
    const call: SeenCall = {
      atMs: this.clock.nowMs(),
      execId: delivery.headers['quarterjack-execution']!,
      attempt: Number(delivery.headers['quarterjack-attempt']),
      fence: Number(delivery.headers['quarterjack-fence']),
      dueAtMs: Date.parse(delivery.headers['quarterjack-due']!),
      target: Number(delivery.headers['quarterjack-target'] ?? 0),
    };
    this.calls.push(call);
    this.observe?.(delivery, target);
    return this.behaviour(call, signal, this.clock);
  }

  private spawn(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.log.error('a stage failed', error))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
