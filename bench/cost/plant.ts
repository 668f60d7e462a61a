import { handleRequest } from '../../lambdas/api/handle-request';
import { quotas } from '../../lambdas/api/jobs/charge-quotas';
import type { ApiDeps } from '../../lambdas/api/request';
import { type AuditorDeps, auditJobs } from '../../lambdas/auditor/audit-jobs';
import {
  ExecutionMessage,
  ScanRequest,
  SweepRequest,
  type TickEvent,
} from '../../lambdas/core/contracts/messages';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import { DEFAULT_POOL, type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { queuePipeline } from '../../lambdas/core/queue/pipeline';
import { maintenanceMode } from '../../lambdas/core/queue/maintenance';
import { raiseShards } from '../../lambdas/core/shards/raise-shards';
import { activeShardCount } from '../../lambdas/core/shards/shard-count';
import { type QueueUrls, sqsExecutionQueue } from '../../lambdas/core/queue/sqs/sqs-execution-queue';
import { sqsRequestQueue } from '../../lambdas/core/queue/sqs/sqs-request-queue';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoOverlapLockStore } from '../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoRequestKeyStore } from '../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoUsageStore } from '../../lambdas/core/store/dynamo/usage/dynamo-usage-store';
import { dynamoUserStore } from '../../lambdas/core/store/dynamo/users/dynamo-user-store';
import { dynamoScheduleStore } from '../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { dynamoOrderingStore } from '../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweepShards, type LastSweeps } from '../../lambdas/sweeper/sweep-shards';
import { tick } from '../../lambdas/tick/plan-requests';
import { MemoryDynamo } from '../../test/support/dynamo/memory-dynamo';
import { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../test/support/dynamo/table-keys';
import { AWS_POLICY } from '../../test/support/aws-policy';
import { FakeRandom } from '../../test/support/fake-random';
import { FakeClock } from '../../test/support/fake-clock';
import { publicNames } from '../../test/support/public-names';
import { routeOf } from '../../test/support/route-of';
import { RecordingLog } from '../../test/support/recording-log';
import { RecordingMeter } from '../../test/support/recording-meter';
import { meteredDocuments } from './metered-dynamo';
import { MeteredQueues } from './metered-sqs';
import { type Stage, Tally, type Totals } from './tally';

const SECRET = Buffer.alloc(32, 7);
const SCAN_QUEUE = 'scan';
const SWEEP_QUEUE = 'sweep';
const EXECUTOR_BATCH = 10;

const MINUTE_MS = 60_000;
const AUDIT_EVERY_MS = 10 * MINUTE_MS;
/** The tick comes anywhere within its minute: here, some seconds after the start. */
const TICK_OFFSET_MS = 1_350;
const TICK_SPREAD_MS = 4_000;

/** Virtual milliseconds that an answer takes, as within a region of AWS: assumed, not measured. */
const ANSWERS_AFTER_MS = { dynamodb: 4, sqs: 8, poll: 20 };
const TIME_LEFT = { remainingMs: () => 840_000 };

/**
 * The deployed system on virtual time with every request counted: the real stage functions over the real stores and
 * queues, invoked as the template's schedules and event sources invoke them.
 */
export class Plant {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables = new MemoryTables(TABLE_KEYS);
  private readonly dynamo = new MemoryDynamo(this.tables);
  private readonly tally = new Tally();
  private readonly queues = new MeteredQueues(this.clock, this.tally, ANSWERS_AFTER_MS.poll);
  private readonly random = new FakeRandom(7);
  /** Its own, so that ticks come at the same instants whatever else is going on. */
  private readonly tickChance = new FakeRandom(11);
  private readonly api: ApiDeps;
  /** What each environment of the sweeper that is at rest remembers. */
  private readonly idleSweepers: LastSweeps[] = [];

  /** How the target answers. */
  call: CallTarget = async () => {
    await this.clock.sleep(50);
    return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  };

  private constructor(private readonly shardCount: number) {
    this.api = this.depsOf('api');
    const scanner = this.depsOf('scanner');
    const sweeper = this.depsOf('sweeper');
    const executor = this.depsOf('executor');
    this.queues.consume(SCAN_QUEUE, 1, ([body]) =>
      this.invoke('scanner', () =>
        scanShards(ScanRequest.parse(JSON.parse(body!)).shards, scanner, TIME_LEFT),
      ),
    );
    this.queues.consume(SWEEP_QUEUE, 1, ([body]) =>
      this.invoke('sweeper', async () => {
        // As Lambda does: the environment used last is used next, and there are as many as run side by side.
        const last = this.idleSweepers.pop() ?? new Map();
        const { shards } = SweepRequest.parse(JSON.parse(body!));
        await sweepShards(shards, sweeper, TIME_LEFT, last);
        this.idleSweepers.push(last);
      }),
    );
    for (const lane of LANES) {
      this.queues.consume(queueOf(lane), EXECUTOR_BATCH, (bodies) =>
        this.invoke('executor', async () => {
          const batch = bodies.map((body, index) => ({
            id: String(index),
            message: ExecutionMessage.parse(JSON.parse(body)),
          }));
          const { failedIds } = await executeBatch(batch, executor, TIME_LEFT);
          if (failedIds.length > 0) throw new Error('messages were given back');
        }),
      );
    }
  }

  /**
   * A plant whose shards are there, and whose cursors have come up to the present. The auditor is left out where asked:
   * what it costs goes by the number of jobs and the time they are there, not by what they do.
   */
  static async started(shardCount: number, { auditor: audits = true } = {}): Promise<Plant> {
    const plant = new Plant(shardCount);
    void plant.every(MINUTE_MS, TICK_OFFSET_MS, () => plant.tick({ kind: 'scan' }));
    void plant.every(MINUTE_MS, TICK_OFFSET_MS, () => plant.tick({ kind: 'sweep' }));
    const auditor = plant.depsOf('auditor');
    const audit = () => plant.invoke('auditor', () => auditJobs(auditor, TIME_LEFT));
    if (audits) void plant.every(AUDIT_EVERY_MS, TICK_OFFSET_MS, audit);
    await plant.run(5 * MINUTE_MS);
    return plant;
  }

  run(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** One request of the API by the user `alice`; throws for whatever is not a success. */
  async request(operation: Operation, params: Record<string, string>, body?: unknown): Promise<void> {
    const response = await this.clock.settle(
      this.invoke('api', () =>
        handleRequest(
          {
            route: routeOf(operation),
            requestId: 'request',
            userId: 'alice',
            scopes: new Set(['jobs:read', 'jobs:write']),
            params,
            query: new Map(),
            headers: {},
            body: body === undefined ? undefined : JSON.stringify(body),
          },
          this.api,
        ),
      ),
    );
    if (response.status >= 300) throw new Error(`${operation}: ${JSON.stringify(response.body)}`);
  }

  totals(): Totals {
    const [error] = this.log.messages('error');
    if (error !== undefined) throw new Error(`a stage logged an error: ${error}`);
    return this.tally.totals();
  }

  private async tick(event: TickEvent): Promise<void> {
    const { schedule, clock } = this.depsOf('tick');
    const sqs = this.sqsOf('tick');
    await this.invoke('tick', () =>
      tick(event, this.shardCount, {
        schedule,
        clock,
        scanQueue: sqsRequestQueue(sqs, SCAN_QUEUE),
        sweepQueue: sqsRequestQueue(sqs, SWEEP_QUEUE),
      }),
    );
  }

  private async every(everyMs: number, offsetMs: number, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const sinceMs = (this.clock.nowMs() - offsetMs) % everyMs;
      await this.clock.sleep(everyMs - sinceMs);
      void this.clock.sleep(this.tickChance.between(0, TICK_SPREAD_MS)).then(work);
    }
  }

  private async invoke<Result>(stage: Stage, work: () => Promise<Result>): Promise<Result> {
    const startMs = this.clock.monotonicMs();
    try {
      return await work();
    } catch (error) {
      this.log.error(`the ${stage} failed`, error);
      throw error;
    } finally {
      this.tally.invocation(stage, this.clock.monotonicMs() - startMs);
    }
  }

  private sqsOf(stage: Stage) {
    const called = async () => {
      this.tally.call(stage);
      await this.clock.sleep(ANSWERS_AFTER_MS.sqs);
    };
    return { sqs: this.queues.client(called), clock: this.clock, random: this.random };
  }

  /** What one function is made with; its calls are counted as its own. */
  private depsOf(stage: Stage): ExecutorDeps & ApiDeps & AuditorDeps {
    const metered = meteredDocuments(this.dynamo, TABLE_KEYS, this.tally.usage);
    const documents = {
      send: (async (command: never, options: never) => {
        this.tally.call(stage);
        await this.clock.sleep(ANSWERS_AFTER_MS.dynamodb);
        return metered.send(command, options);
      }) as typeof metered.send,
    };
    const { clock, random, log, meter } = this;
    const access = { documents, clock, random };
    const schedule = dynamoScheduleStore({ ...access, table: 'schedule' });
    const usage = dynamoUsageStore({ ...access, table: 'jobs' });
    const stopped = maintenanceMode(schedule, clock);
    const raise = async () => (await raiseShards(this.shardCount, { schedule, clock })).count;
    const shards = activeShardCount(schedule, clock, raise);
    const limitScope = stage === 'api' || stage === 'executor' ? 'per-process' : 'per-shard';
    const queue = sqsExecutionQueue(this.sqsOf(stage), QUEUE_URLS);
    const executions = dynamoExecutionStore({ ...access, table: 'executions', heartbeats: documents });
    return {
      jobs: dynamoJobStore({ ...access, table: 'jobs' }),
      usage,
      quotaLimits: QUOTAS,
      quotas: quotas(QUOTAS, { usage, clock }),
      overlapLocks: dynamoOverlapLockStore({ ...access, table: 'jobs' }),
      users: dynamoUserStore({ ...access, table: 'jobs' }),
      requestKeys: dynamoRequestKeyStore({ ...access, table: 'jobs' }),
      ordering: dynamoOrderingStore({ ...access, table: 'schedule' }),
      executions,
      ends: executions,
      publishEnd: () => undefined,
      schedule,
      queue: queuePipeline(queue, USER_RATE_LIMITS, {
        limitScope,
        isPhaseAligned: stage === 'scanner',
        clock,
        shards,
        stopped,
      }),
      inMaintenance: stopped,
      shardCount: shards,
      clock,
      random,
      log,
      meter,
      retentionDays: 30,
      horizonMs: HORIZON.usualSec * 1_000,
      secret: { get: async () => SECRET },
      settings: { targetPolicy: 'public', pools: [DEFAULT_POOL], awsTargets: AWS_POLICY },
      resolve: publicNames,
      tickSwitch: { state: async () => 'on', set: async () => undefined },
      signingSecrets: async () => [`whsec_${SECRET.toString('base64')}`],
      reportBy: async () => ({ callbackUrl: 'https://api.example.com/v1/attempts', token: 'token' }),
      call: (target, delivery, signal) => this.call(target, delivery, signal),
    };
  }
}

/** As `config/prod.json` has them. */
const QUOTAS = { jobs: 100_000, firesPerMinute: 100_000, payloadBytes: 1_000_000_000 };
const USER_RATE_LIMITS = { [DEFAULT_POOL]: 500 };
const queueOf = (lane: Lane): string => `execution-${lane}`;
const QUEUE_URLS: QueueUrls = {
  [DEFAULT_POOL]: Object.fromEntries(LANES.map((lane) => [lane, queueOf(lane)])),
};
