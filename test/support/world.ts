import type { ApiDeps } from '../../lambdas/api/request';
import { saveJob } from '../../lambdas/api/save-job';
import { auditJobs } from '../../lambdas/auditor/audit-jobs';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { EXECUTIONS_KEY, JOBS_KEY, jobKeyOf, SCHEDULE_KEY } from '../../lambdas/core/contracts/tables';
import type { ScanRequest, SweepRequest } from '../../lambdas/core/contracts/messages';
import { PRIORITIES } from '../../lambdas/core/contracts/pools';
import { shardsInForce } from '../../lambdas/core/dispatch/shards-in-force';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoHoldStore } from '../../lambdas/core/store/dynamo/jobs/holds';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/schedule/dynamo-schedule-store';
import type { Delivery } from '../../lambdas/executor/delivery';
import type { Answer, ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShard } from '../../lambdas/scanner/scan-shard';
import { sweepShard } from '../../lambdas/sweeper/sweep-shard';
import { tick } from '../../lambdas/tick/plan-requests';
import { MemoryDynamo } from './dynamo/memory-dynamo';
import { MemoryTables } from './dynamo/memory-tables';
import { FakeChance } from './fake-chance';
import { FakeClock } from './fake-clock';
import { MemoryQueue } from './memory-queue';
import { RecordingLog } from './recording-log';
import { RecordingMeter } from './recording-meter';

/** One call as the target saw it. */
export interface SeenCall {
  atMs: number;
  execId: string;
  attempt: number;
  fence: number;
  dueAtMs: number;
}

export type Behaviour = (call: SeenCall, signal: AbortSignal, clock: FakeClock) => Promise<Answer> | Answer;

const STEP_MS = 100;
const limits = { remainingMs: () => 870_000 };

/**
 * The whole system on virtual time: the real stage functions over tables and queues in memory. `run` lets time pass;
 * each part can be switched off to play an outage.
 */
export class World {
  readonly clock = new FakeClock();
  readonly chance = new FakeChance(7);
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables = new MemoryTables({ jobs: JOBS_KEY, executions: EXECUTIONS_KEY, schedule: SCHEDULE_KEY });
  readonly dynamo = new MemoryDynamo(this.tables);
  readonly queue = new MemoryQueue(this.clock, { visibilitySec: 5_400 });
  readonly calls: SeenCall[] = [];
  behaviour: Behaviour = () => ({ outcome: 'succeeded', statusCode: 200, body: 'ok' });
  readonly on = { tick: true, scan: true, sweep: true, executor: true };
  readonly deps: ExecutorDeps;
  private readonly running = new Set<Promise<unknown>>();
  private shardsFound = 0;

  constructor(readonly shardCount = 2) {
    const access = { documents: this.dynamo, clock: this.clock, chance: this.chance };
    const schedule = dynamoScheduleStore({ ...access, table: 'schedule' });
    this.deps = {
      jobs: dynamoJobStore({ ...access, table: 'jobs' }),
      holds: dynamoHoldStore({ ...access, table: 'jobs' }),
      executions: dynamoExecutionStore({ ...access, table: 'executions', beats: this.dynamo }),
      schedule,
      queue: this.queue,
      clock: this.clock,
      chance: this.chance,
      shards: shardsInForce(schedule, this.clock),
      log: this.log,
      meter: this.meter,
      retentionDays: 30,
      signingSecret: async () => `whsec_${Buffer.alloc(32).toString('base64')}`,
      call: (_, delivery, signal) => this.called(delivery, signal),
    };
  }

  /** A world whose first tick has been. */
  static async started(shardCount?: number): Promise<World> {
    const world = new World(shardCount);
    await world.tick();
    return world;
  }

  /** Lets `ms` pass: ticks at each minute, sweeps every 10 s, messages as they turn up. */
  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(STEP_MS);
      const nowMs = this.clock.nowMs();
      if (this.on.tick && nowMs % 60_000 === 0) await this.tick();
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
    await tick({ kind: 'scan' }, this.shardCount, { ...this.deps, scanQueue, sweepQueue: ignored });
    if (this.on.scan) await this.scan();
  }

  async scan(): Promise<void> {
    for (let shard = 0; shard < this.shardsFound; shard++) this.spawn(scanShard(shard, this.deps, limits));
    await this.clock.flush();
  }

  async sweep(): Promise<void> {
    for (let shard = 0; shard < this.shardsFound; shard++) this.spawn(sweepShard(shard, this.deps, limits));
    await this.clock.flush();
  }

  audit = () => auditJobs(this.deps, limits);

  /** Hands every visible message to an executor of its own batch, and acknowledges what it does not give back. */
  receive(): void {
    for (const priority of PRIORITIES) {
      const batch = this.queue.receive('default', priority);
      if (batch.length === 0) continue;
      const received = batch.map(({ messageId, message }) => ({ id: messageId, message }));
      this.spawn(
        executeBatch(received, this.deps, limits).then(({ failedIds }) => {
          for (const { messageId, receiptHandle } of batch) {
            if (!failedIds.includes(messageId)) this.queue.delete(receiptHandle);
          }
        }),
      );
    }
  }

  /** Stores a job as the API does: entry, job, scanner's step. */
  async create(job: Job): Promise<Job> {
    const deps = this.deps as unknown as ApiDeps;
    await saveJob(job, { seen: undefined }, () => job, deps);
    return job;
  }

  /** Executions of a job, oldest first. */
  executions(job: Pick<Job, 'userId' | 'jobId'>): Execution[] {
    return this.tables
      .rows('executions')
      .map((row) => executionOf(row))
      .filter(({ jobKey }) => jobKey === jobKeyOf(job))
      .sort((a, b) => (a.execId < b.execId ? -1 : 1));
  }

  /** Errors that were logged, for a test that expects none. */
  errors(): unknown[] {
    return this.log.lines
      .filter(({ level }) => level === 'error')
      .map(({ message, cause }) => [message, cause]);
  }

  private async called(delivery: Delivery, signal: AbortSignal): Promise<Answer> {
    const call: SeenCall = {
      atMs: this.clock.nowMs(),
      execId: delivery.headers['quarterjack-execution']!,
      attempt: Number(delivery.headers['quarterjack-attempt']),
      fence: Number(delivery.headers['quarterjack-fence']),
      dueAtMs: Date.parse(delivery.headers['quarterjack-due']!),
    };
    this.calls.push(call);
    return this.behaviour(call, signal, this.clock);
  }

  private spawn(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.log.error('a stage failed', error))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
