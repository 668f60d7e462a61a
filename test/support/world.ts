import { handleRequest } from '../../lambdas/api/handle-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../lambdas/api/request';
import { withSchedule } from '../../lambdas/api/jobs/job-changes';
import { repeatOnLostRace, saveJob, startChange } from '../../lambdas/api/jobs/save-job';
import { type AuditorDeps, auditJobs } from '../../lambdas/auditor/audit-jobs';
import type { Clock } from '../../lambdas/core/clock/clock';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { ScanRequest, SweepRequest } from '../../lambdas/core/contracts/messages';
import { DEFAULT_POOL, LANES } from '../../lambdas/core/contracts/pools';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { routeToOverflow } from '../../lambdas/core/queue/user-rate-limit';
import { endPublisher } from '../../lambdas/core/events/publish-ends';
import { activeShardCount } from '../../lambdas/core/shards/shard-count';
import { type PipelineDeps, queuePipeline } from '../../lambdas/core/queue/pipeline';
import { maintenanceMode } from '../../lambdas/core/queue/maintenance';
import type { ExecutionQueue } from '../../lambdas/core/queue/execution-queue';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoOverlapLockStore } from '../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoUserStore } from '../../lambdas/core/store/dynamo/users/dynamo-user-store';
import { dynamoUsageStore } from '../../lambdas/core/store/dynamo/usage/dynamo-usage-store';
import { dynamoRequestKeyStore } from '../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { dynamoOrderingStore } from '../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import { sealAttemptToken } from '../../lambdas/core/delivery/attempt-token';
import type { Delivery } from '../../lambdas/core/delivery/delivery';
import type { TargetResult } from '../../lambdas/core/domain/target-result';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../lambdas/sweeper/sweep-shards';
import { tick } from '../../lambdas/tick/plan-requests';
import { AWS_POLICY } from './aws-policy';
import { type Call, MemoryDynamo } from './dynamo/memory-dynamo';
import { TABLE_KEYS } from './dynamo/table-keys';
import { MemoryTables } from './dynamo/memory-tables';
import { FakeRandom } from './fake-random';
import { FakeClock } from './fake-clock';
import { MemoryQueue } from './memory-queue';
import { noQuotas } from './no-quotas';
import { publicNames } from './public-names';
import { RecordingLog } from './recording-log';
import { RecordingMeter } from './recording-meter';
import { routeOf } from './route-of';
import { checkEvent, checkQueueCall, checkTableCall, denied, type StageName } from './stage-permissions';

/** One call as the target saw it. */
export interface SeenCall {
  atMs: number;
  execId: string;
  attempt: number;
  fence: number;
  dueAtMs: number;
  /** Place of the target; 0 where there is one. */
  target: number;
}

export type Behaviour = (
  call: SeenCall,
  signal: AbortSignal,
  clock: FakeClock,
) => Promise<TargetResult> | TargetResult;

type Sending = Pick<PipelineDeps, 'limitScope' | 'isPhaseAligned'>;
const ONE_OF_MANY: Sending = { limitScope: 'per-process', isPhaseAligned: false };

/** What any stage is made with. */
type Deps = ExecutorDeps & ApiDeps & Pick<AuditorDeps, 'usage'>;

export interface WorldOptions {
  /** @default 180 */
  horizonSec?: number;
  /** See `MemoryTablesOptions`. */
  allOld?: boolean;
  /** See `MemoryDynamoOptions`. */
  maxAttempts?: number;
  /** What is beyond it overflows. Absent: nothing does. */
  userSharePerSec?: number;
}

const STEP_MS = 100;
const limits = { remainingMs: () => 870_000 };

// A stage may put up with what it is refused, so it is noticed here.
afterEach(() => expect(denied.splice(0)).toEqual([]));

/**
 * The whole system on virtual time: the real stage functions over tables and queues in memory. `run` lets time pass;
 * each part can be switched off to play an outage. Every stage may do what its role in the template allows; `deps` is
 * for the tests themselves and may do anything.
 */
export class World {
  readonly clock = new FakeClock();
  readonly random = new FakeRandom(7);
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables: MemoryTables;
  readonly dynamo: MemoryDynamo;
  readonly queue = new MemoryQueue(this.clock, { visibilitySec: 5_400 });
  readonly calls: SeenCall[] = [];
  behaviour: Behaviour = () => ({ outcome: 'succeeded', statusCode: 200, body: 'ok' });
  readonly on = { tick: true, scan: true, sweep: true, executor: true };
  readonly deps: Deps;
  /** Sees every delivery, before the target answers. */
  observe?: (delivery: Delivery) => void;
  /** Sees every call of an executor to the tables, and may kill it there and then. */
  onExecutorCall?: (call: Call, kill: () => void) => void;
  private readonly running = new Set<Promise<unknown>>();
  private readonly stages = new Map<StageName, Deps>();
  private shardsFound = 0;

  constructor(
    public shardCount = 2,
    private readonly retentionDays = 30,
    private readonly options: WorldOptions = {},
  ) {
    this.tables = new MemoryTables(TABLE_KEYS, { allOld: options.allOld });
    this.dynamo = new MemoryDynamo(this.tables);
    this.deps = this.node(this.dynamo, this.clock, this.queue);
  }

  /** The one process of a stage, under its role. Faults are those of `dynamo`. */
  private stage(stage: StageName): Deps {
    const known = this.stages.get(stage);
    if (known) return known;
    const { dynamo } = this;
    const guarded = new MemoryDynamo(this.tables, {
      maxAttempts: this.options.maxAttempts,
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
    const limitScope = stage === 'api' || stage === 'executor' ? 'per-process' : 'per-shard';
    const node = this.node(guarded, this.clock, this.guardedQueue(stage), {
      limitScope,
      isPhaseAligned: stage === 'scanner',
    });
    const events = { put: () => checkEvent(stage) };
    const made = { ...node, publishEnd: endPublisher(events, 'failures') };
    this.stages.set(stage, made);
    return made;
  }

  private guardedQueue(stage: StageName): ExecutionQueue {
    return {
      send: async (messages) => {
        if (messages.length > 0) checkQueueCall(stage, 'SendMessage');
        return this.queue.send(messages);
      },
      has: (pool) => this.queue.has(pool),
      backlog: async (pool, lane) => {
        checkQueueCall(stage, 'GetQueueAttributes');
        return this.queue.backlog(pool, lane);
      },
    };
  }

  /** The dependencies of one process over the shared tables and queues. */
  private node(
    dynamo: MemoryDynamo,
    clock: Clock,
    queue: ExecutionQueue,
    { limitScope, isPhaseAligned }: Sending = ONE_OF_MANY,
  ): Deps {
    const access = { documents: dynamo, clock, random: this.random };
    const schedule = dynamoScheduleStore({ ...access, table: 'schedule' });
    const stopped = maintenanceMode(schedule, clock);
    const shards = activeShardCount(schedule, clock);
    const { userSharePerSec } = this.options;
    const executions = dynamoExecutionStore({ ...access, table: 'executions', heartbeats: dynamo });
    const shares: Record<string, number> =
      userSharePerSec === undefined ? {} : { [DEFAULT_POOL]: userSharePerSec };
    return {
      jobs: dynamoJobStore({ ...access, table: 'jobs' }),
      overlapLocks: dynamoOverlapLockStore({ ...access, table: 'jobs' }),
      ordering: dynamoOrderingStore({ ...access, table: 'schedule' }),
      executions,
      ends: executions,
      publishEnd: () => undefined,
      schedule,
      queue: queuePipeline(queue, shares, { limitScope, isPhaseAligned, clock, shards, stopped }),
      clock,
      random: this.random,
      shardCount: shards,
      inMaintenance: stopped,
      log: this.log,
      meter: this.meter,
      retentionDays: this.retentionDays,
      horizonMs: (this.options.horizonSec ?? HORIZON.usualSec) * 1_000,
      users: dynamoUserStore({ ...access, table: 'jobs' }),
      requestKeys: dynamoRequestKeyStore({ ...access, table: 'jobs' }),
      secret: { get: async () => Buffer.alloc(32, 7) },
      tickSwitch: {
        state: async () => (this.on.tick ? 'on' : 'off'),
        set: async (to) => {
          this.on.tick = to === 'on';
        },
      },
      quotas: noQuotas.quotas,
      usage: dynamoUsageStore({ ...access, table: 'jobs' }),
      settings: { targetPolicy: 'public', awsTargets: AWS_POLICY, pools: [DEFAULT_POOL] },
      resolve: publicNames,
      signingSecrets: async () => [`whsec_${Buffer.alloc(32).toString('base64')}`],
      reportBy: async (lease, target) => ({
        callbackUrl: 'https://api.example.com/v1/attempts',
        token: sealAttemptToken(lease, Buffer.alloc(32, 7), target),
      }),
      call: (_, delivery, signal) => this.called(delivery, signal),
    };
  }

  /** A process that can be killed: from then on nothing of it goes on, in the middle of whatever it does. */
  private mortalNode(): { deps: Deps; kill: () => void } {
    let dead = false;
    const alive = <T>(work: Promise<T>): Promise<T> =>
      dead
        ? new Promise(() => undefined)
        : work.then((value) => (dead ? new Promise(() => undefined) : value));
    const kill = () => {
      dead = true;
    };
    const dynamo = new MemoryDynamo(this.tables, {
      faults: {
        before: async (call) => {
          checkTableCall('executor', call);
          this.onExecutorCall?.(call, kill);
          await alive(Promise.resolve());
          await this.dynamo.faults.before?.(call);
        },
        after: async (call) => {
          await this.dynamo.faults.after?.(call);
          await alive(Promise.resolve());
        },
      },
    });
    const clock: Clock = {
      nowMs: () => this.clock.nowMs(),
      monotonicMs: () => this.clock.monotonicMs(),
      sleep: (ms, signal) => alive(this.clock.sleep(ms, signal)),
    };
    const queue: ExecutionQueue = {
      ...this.guardedQueue('executor'),
      send: (messages) => alive(Promise.resolve()).then(() => this.guardedQueue('executor').send(messages)),
    };
    const deps = this.node(dynamo, clock, queue);
    return { deps: { ...deps, call: (...call) => alive(deps.call(...call)) }, kill };
  }

  /** A world whose first tick has been. */
  static async started(shardCount?: number, retentionDays?: number, options?: WorldOptions): Promise<World> {
    const world = new World(shardCount, retentionDays, options);
    await world.tick();
    return world;
  }

  /** Lets `ms` pass: ticks at each minute, sweeps every 10 s, messages as they turn up. */
  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(STEP_MS);
      const nowMs = this.clock.nowMs();
      if (this.on.tick && nowMs % 60_000 === 0) this.spawn(this.tick());
      if (this.on.sweep && nowMs % 10_000 === 0) await this.sweep();
      if (this.on.executor) this.receive();
      await this.clock.flush();
    }
  }

  async tick(): Promise<void> {
    const ignored = { send: async (_: readonly { request: SweepRequest; delaySec: number }[]) => undefined };
    const scanQueue = {
      send: async (requests: readonly { request: ScanRequest }[]) => {
        this.shardsFound = requests.flatMap(({ request }) => request.shards).length;
      },
    };
    await tick({ kind: 'scan' }, this.shardCount, { ...this.stage('tick'), scanQueue, sweepQueue: ignored });
    if (this.on.scan) await this.scan();
  }

  async scan(): Promise<void> {
    this.spawn(scanShards(this.shards(), this.stage('scanner'), limits));
    await this.clock.flush();
  }

  private shards = (): number[] => Array.from({ length: this.shardsFound }, (_, shard) => shard);

  async sweep(): Promise<void> {
    this.spawn(sweepShards(this.shards(), this.stage('sweeper'), limits, new Map()));
    await this.clock.flush();
  }

  audit = (quotaLimits = noQuotas.quotaLimits, left = limits) =>
    auditJobs({ ...this.stage('auditor'), quotaLimits }, left);

  /** Hands every visible message to an executor of its own batch, and acknowledges what it does not give back. */
  receive(): void {
    for (const lane of LANES) {
      const batch = this.queue.receive('default', lane);
      if (batch.length === 0) continue;
      const received = batch.map(({ messageId, message }) => ({ id: messageId, message }));
      const { deps: node } = this.mortalNode();
      const deps = lane === 'overflow' ? { ...node, queue: routeToOverflow(node.queue) } : node;
      this.spawn(
        executeBatch(received, deps, limits).then(({ failedIds }) => {
          for (const { messageId, receiptHandle } of batch) {
            if (!failedIds.includes(messageId)) this.queue.delete(receiptHandle);
          }
        }),
      );
    }
  }

  /** Stores a job as the API does: entry, job, scanner's step. */
  async create(job: Job): Promise<Job> {
    await repeatOnLostRace(undefined, async (current) =>
      saveJob(current, withSchedule(job), await startChange(this.deps), this.deps),
    );
    return job;
  }

  /** One request as API Gateway hands it over, by the user `alice`. */
  api(
    operation: Operation,
    params: ApiRequest['params'] = {},
    body?: unknown,
    headers: ApiRequest['headers'] = {},
  ): Promise<ApiResponse> {
    const request: ApiRequest = {
      route: routeOf(operation),
      requestId: 'request',
      userId: 'alice',
      scopes: new Set(['jobs:read', 'jobs:write', 'admin']),
      params,
      query: new Map(),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    return handleRequest(request, this.stage('api'));
  }

  /** Executions of a job, oldest first. */
  executions(job: Pick<Job, 'userId' | 'jobId'>): Execution[] {
    return this.tables
      .rows('executions')
      .filter(({ jobId }) => jobId === jobKeyOf(job))
      .map((row) => executionOf(row))
      .sort((a, b) => (a.execId < b.execId ? -1 : 1));
  }

  /** Errors that were logged, for a test that expects none. */
  errors(): unknown[] {
    return this.log.lines
      .filter(({ level }) => level === 'error')
      .map(({ message, cause }) => [message, cause]);
  }

  private async called(delivery: Delivery, signal: AbortSignal): Promise<TargetResult> {
    const call: SeenCall = {
      atMs: this.clock.nowMs(),
      execId: delivery.headers['quarterjack-execution']!,
      attempt: Number(delivery.headers['quarterjack-attempt']),
      fence: Number(delivery.headers['quarterjack-fence']),
      dueAtMs: Date.parse(delivery.headers['quarterjack-due']!),
      target: Number(delivery.headers['quarterjack-target'] ?? 0),
    };
    this.calls.push(call);
    this.observe?.(delivery);
    return this.behaviour(call, signal, this.clock);
  }

  private spawn(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.log.error('a stage failed', error))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
