import { handleRequest } from '../../lambdas/api/handle-request';
import { quotas } from '../../lambdas/api/jobs/charge-quotas';
import type { ApiDeps, ApiResponse } from '../../lambdas/api/request';
import { serveRequest } from '../../lambdas/api/serve-request';
import { claimWork } from '../../lambdas/api/work/claim-work';
import { MAX_CLAIMED } from '../../lambdas/core/domain/work';
import type { ClaimView, WorkView } from '../../lambdas/core/http/openapi/work';
import { type AuditorDeps, auditJobs } from '../../lambdas/auditor/audit-jobs';
import {
  ExecutionMessage,
  ScanRequest,
  SweepRequest,
  type TickEvent,
} from '../../lambdas/core/contracts/messages';
import { LANES } from '../../lambdas/core/contracts/pools';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { compose, forOverflow } from '../../lambdas/core/platform/compose';
import { storesOf } from '../../lambdas/core/platform/stores';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import { sqsExecutionQueue } from '../../lambdas/core/queue/sqs/sqs-execution-queue';
import { sqsRequestQueue } from '../../lambdas/core/queue/sqs/sqs-request-queue';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweeperPorts } from '../../lambdas/sweeper/ports';
import { sweepShards } from '../../lambdas/sweeper/sweep-shards';
import { tick } from '../../lambdas/tick/plan-requests';
import { TABLES } from '../../test/support/dynamo/memory-backend';
import { MemoryDynamo } from '../../test/support/dynamo/memory-dynamo';
import { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../test/support/dynamo/table-keys';
import { ExecutionStream } from '../../test/support/execution-stream';
import { FakeClock } from '../../test/support/fake-clock';
import { FakeRandom } from '../../test/support/fake-random';
import { withIncidents } from '../../test/support/incident-calls';
import { laneLimitDeps } from '../../test/support/lane-limits';
import { RecordingLog } from '../../test/support/recording-log';
import { RecordingMeter } from '../../test/support/recording-meter';
import { apiSurroundings, executorSurroundings, noProbes } from '../../test/support/surroundings';
import { MeteredQueues } from './metered-sqs';
import type { DeploymentOptions } from './deployment-options';
import { FOLLOW_EVERY_MS, followStream } from './follow-stream';
import { incomingOf, succeeded } from './requests';
import { QUOTAS, METERED_SETTINGS } from './settings';
import { QUEUE_URLS, queueOf, SCAN_QUEUE, SWEEP_QUEUE } from './queue-urls';
import { DeploymentUsage, type Stage, type Totals } from './usage';
import { callerOf } from '../../test/support/caller';

const EXECUTOR_BATCH = 10;
/** A quarter of the executors of a lane, as `prod` has them. */
const LANE_LIMIT = 40;

const MINUTE_MS = 60_000;
const AUDIT_EVERY_MS = 10 * MINUTE_MS;
/** The tick comes at any moment of its minute: here, some seconds after the start. */
const TICK_OFFSET_MS = 1_350;
const TICK_SPREAD_MS = 4_000;

/** Virtual milliseconds until an answer, as within a region of AWS: assumed, not measured. */
const ANSWERS_AFTER_MS = { dynamodb: 4, sqs: 8, poll: 20 };
const TIME_BUDGET = { remainingMs: () => 840_000 };

/**
 * The deployed system on virtual time with every request counted. The real stage functions run over the real
 * stores and queues. They are invoked as by the template's schedules and event sources.
 */
export class MeteredDeployment {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  private readonly stream = new ExecutionStream(() => this.clock.nowMs());
  readonly tables = new MemoryTables(TABLE_KEYS, { onChange: this.stream.onChange });
  private readonly dynamo = new MemoryDynamo(this.tables);
  readonly usage = new DeploymentUsage(() => this.tables.units());
  private readonly queues = new MeteredQueues(this.clock, this.usage, ANSWERS_AFTER_MS.poll);
  private readonly random = new FakeRandom(7);
  /** Separate, so that ticks come at the same instants whatever else happens. */
  private readonly tickRandom = new FakeRandom(11);
  private readonly api: ApiDeps;
  private readonly worker: ApiDeps;

  /** How the target answers. */
  call: CallTarget = async () => {
    await this.clock.sleep(50);
    return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  };

  private constructor(
    private readonly shardCount: number,
    private readonly packs: DeploymentOptions['packs'],
  ) {
    const composedApi = this.compose('api');
    this.api = {
      ...composedApi,
      ...apiSurroundings,
      quotas: quotas(QUOTAS, { usage: composedApi.usage, clock: this.clock }),
      tickSwitch: { state: async () => 'on', set: async () => undefined },
    };
    this.worker = { ...this.api, ...this.compose('worker') };
    this.connectShardQueues();
    this.connectExecutionQueues();
  }

  /**
   * A deployment with its shards, whose cursors have caught up with the present. `auditor: false` leaves the
   * auditor out: its cost depends on time and the number of jobs alone.
   */
  static async started(
    shardCount: number,
    { auditor = true, follows, packs = 'read' }: DeploymentOptions = {},
  ): Promise<MeteredDeployment> {
    const deployment = new MeteredDeployment(shardCount, packs);
    if (follows) void deployment.every(FOLLOW_EVERY_MS, () => deployment.follow(follows));
    void deployment.every(MINUTE_MS, () => deployment.tick({ kind: 'scan' }));
    void deployment.every(MINUTE_MS, () => deployment.tick({ kind: 'sweep' }));
    const auditorDeps: AuditorDeps = { ...deployment.compose('auditor'), quotaLimits: QUOTAS };
    const audit = () => deployment.invoke('auditor', () => auditJobs(auditorDeps, TIME_BUDGET));
    if (auditor) void deployment.every(AUDIT_EVERY_MS, audit);
    await deployment.run(5 * MINUTE_MS);
    return deployment;
  }

  run(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** The body of the answer to a request of a user. Throws if it does not succeed. */
  request(...request: Parameters<MeteredDeployment['answer']>): Promise<unknown> {
    return this.clock.settle(this.answer(...request).then(({ body }) => body));
  }

  /** The answer to one request while time passes. Throws if it is no success. */
  async answer(
    operation: Operation,
    params: Record<string, string>,
    body?: unknown,
    { project = 'alice', headers = {} }: { project?: string; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    const incoming = {
      ...incomingOf(operation),
      ...callerOf(project, 'jobs:read', 'jobs:write', 'project:admin'),
      ...{ params, headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    return succeeded(operation, await this.invoke('api', () => handleRequest(incoming, this.api)));
  }

  /** Workers claim what is due in a queue, ten at a time, and report success. */
  async drainQueue(queue: string): Promise<void> {
    for (let work = await this.claim(queue); work.length > 0; work = await this.claim(queue))
      for (const one of work) await this.complete(one);
  }

  /** One claim of a worker, which may wait. */
  async claim(queue: string, max = MAX_CLAIMED, wait = '0s'): Promise<WorkView[]> {
    const body = JSON.stringify({ queue, max, wait });
    const incoming = { ...incomingOf('claimWork'), ...callerOf('alice', 'work'), body };
    const response = await this.invoke('worker', () => serveRequest(incoming, claimWork, this.worker));
    return (succeeded('claimWork', response).body as ClaimView).work;
  }

  async complete({ token }: WorkView): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const incoming = { ...incomingOf('completeAttempt'), ...callerOf(''), headers };
    succeeded('completeAttempt', await this.invoke('api', () => handleRequest(incoming, this.api)));
  }

  totals(): Totals {
    const [error] = this.log.messages('error');
    if (error !== undefined) throw new Error(`a stage logged an error: ${error}`);
    return this.usage.totals();
  }

  private follow(what: 'journal' | 'spans'): Promise<void> {
    return followStream(this.stream, what, { ...this.partsOf('sweeper'), documents: this.dynamo }, this);
  }

  private connectShardQueues(): void {
    const scanner = this.compose('scanner');
    const sweeper = this.compose('sweeper');
    this.queues.consume(SCAN_QUEUE, 1, ([body]) =>
      this.invoke('scanner', () =>
        scanShards(ScanRequest.parse(JSON.parse(body!)).shards, scanner, TIME_BUDGET),
      ),
    );
    this.queues.consume(SWEEP_QUEUE, 1, ([body]) =>
      this.invoke('sweeper', () => {
        const request = SweepRequest.parse(JSON.parse(body!));
        return sweepShards(request.shards, { ...sweeper, ...sweeperPorts, ...noProbes }, TIME_BUDGET);
      }),
    );
  }

  private connectExecutionQueues(): void {
    const composed = this.compose('executor');
    const executor: ExecutorDeps = {
      ...composed,
      ...executorSurroundings,
      ...laneLimitDeps(composed, LANE_LIMIT),
      call: withIncidents((...call) => this.call(...call), composed),
    };
    const overflowExecutor = forOverflow(executor);
    for (const lane of LANES) {
      const deps = lane === 'overflow' ? overflowExecutor : executor;
      this.queues.consume(queueOf(lane), EXECUTOR_BATCH, (bodies) =>
        this.invoke('executor', async () => {
          const batch = bodies.map((body, index) => ({
            id: String(index),
            message: ExecutionMessage.parse(JSON.parse(body)),
          }));
          const { failedIds } = await executeBatch(batch, deps, TIME_BUDGET);
          if (failedIds.length > 0) throw new Error('messages returned to their queue');
        }),
      );
    }
  }

  private async tick(event: TickEvent): Promise<void> {
    const { schedule } = storesOf(this.partsOf('tick'));
    const sqs = this.sqsOf('tick');
    await this.invoke('tick', () =>
      tick(event, this.shardCount, {
        schedule,
        clock: this.clock,
        scanQueue: sqsRequestQueue(sqs, SCAN_QUEUE),
        sweepQueue: sqsRequestQueue(sqs, SWEEP_QUEUE),
      }),
    );
  }

  private async every(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const sinceMs = (this.clock.nowMs() - TICK_OFFSET_MS) % everyMs;
      await this.clock.sleep(everyMs - sinceMs);
      void this.clock.sleep(this.tickRandom.between(0, TICK_SPREAD_MS)).then(work);
    }
  }

  /** Runs the work of one invocation, and counts it. */
  async invoke<Result>(stage: Stage, work: () => Promise<Result>): Promise<Result> {
    const startMs = this.clock.monotonicMs();
    try {
      return await work();
    } catch (error) {
      this.log.error(`the ${stage} failed`, error);
      throw error;
    } finally {
      this.usage.invocation(stage, this.clock.monotonicMs() - startMs);
    }
  }

  private sqsOf(stage: Stage) {
    const called = async () => {
      this.usage.call(stage);
      await this.clock.sleep(ANSWERS_AFTER_MS.sqs);
    };
    return { sqs: this.queues.client(called), clock: this.clock, random: this.random };
  }

  /** The tables as one function sees them. Its calls are counted as its own. */
  partsOf(stage: Stage) {
    const documents = {
      send: (async (command: never, options?: Parameters<MemoryDynamo['send']>[1]) => {
        this.usage.call(stage);
        await options?.heldUntil;
        await this.clock.sleep(ANSWERS_AFTER_MS.dynamodb);
        return this.dynamo.send(command, options);
      }) as MemoryDynamo['send'],
    };
    const { clock, random, packs } = this;
    return { documents, heartbeats: documents, tables: TABLES, clock, random, packs };
  }

  /** What one function works with. */
  compose(stage: Exclude<SendingStage, 'watcher'>) {
    return compose({
      ...this.partsOf(stage),
      stage,
      executionQueue: sqsExecutionQueue(this.sqsOf(stage), QUEUE_URLS),
      events: { put: () => undefined }, // events are not counted
      log: this.log,
      meter: this.meter,
      settings: { ...METERED_SETTINGS, shardCount: this.shardCount },
    });
  }
}
