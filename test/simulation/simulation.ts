import { handleRequest } from '../../lambdas/api/handle-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../lambdas/api/request';
import { auditJobs } from '../../lambdas/auditor/audit-jobs';
import type { TimeBudget } from '../../lambdas/core/async/time-budget';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import type { ScanRequest, SweepRequest, TickEvent } from '../../lambdas/core/contracts/messages';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import { DEFAULT_POOL, type Lane, PRIORITIES } from '../../lambdas/core/contracts/pools';
import { type Composition, forOverflow } from '../../lambdas/core/platform/compose';
import { storesOf } from '../../lambdas/core/platform/stores';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../lambdas/sweeper/sweep-shards';
import { tick } from '../../lambdas/tick/plan-requests';
import { TABLES } from '../support/dynamo/memory-backend';
import { FakeRandom } from '../support/fake-random';
import { FakeClock } from '../support/fake-clock';
import { MemoryQueue, type Received } from '../support/memory-queue';
import { noQuotas } from '../support/no-quotas';
import { RecordingLog } from '../support/recording-log';
import { RecordingMeter } from '../support/recording-meter';
import { apiSurroundings } from '../support/surroundings';
import { SimClients } from './clients';
import { type Connections, type Environment, Environments, type SharedParts } from './environments';
import { Faults, type Stage } from './faults';
import { EventLog } from './log';
import { SimNode } from './node';
import { maintain } from './operators';
import type { RunPlan } from './run-plan';
import { RecordedTables } from './recorded-tables';
import { executionQueueOf, requestQueueOf } from './sim-queues';
import { clientsOf } from './sim-store';
import { SimTargets } from './sim-target';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** As the stack deploys them. */
const TIMEOUT_MS: Record<Stage, number> = {
  api: 29 * SECOND_MS,
  tick: 30 * SECOND_MS,
  scanner: MINUTE_MS,
  executor: 900 * SECOND_MS,
  sweeper: MINUTE_MS,
  auditor: 5 * MINUTE_MS,
};
const WILD_OFFSETS_MS = [-3_600_000, -60_000, -20_000, 20_000, 60_000, 3_600_000];
const WILD_STEP_MS = 3_600_000;
const RAISED_SHARDS = 3;
const POLL_EVERY_MS = 10 * SECOND_MS;

export type Invoked<T> = { how: 'done'; value: T } | { how: 'failed' | 'killed' };

/**
 * The whole system in a world of virtual time, where each invocation is a node of its own. What happens is decided by
 * the plan and its seed alone.
 */
export class Simulation {
  readonly time = new FakeClock();
  readonly log = new EventLog(() => this.time.nowMs());
  readonly lines = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables = new RecordedTables(this.log, () => this.time.nowMs());
  readonly faults: Faults;
  private readonly random: FakeRandom;
  private readonly queue: MemoryQueue;
  private readonly targets: SimTargets;
  private readonly shardCount: number;
  private nodes = 0;
  /** Executors at work now. */
  /** What has overflowed has executors of its own. */
  private readonly executing = { own: 0, overflow: 0 };
  private readonly environments: Environments;
  /** As EventBridge Scheduler has it. */
  private tickSwitch: 'on' | 'off' = 'on';
  strikes = 0;

  constructor(private readonly plan: RunPlan) {
    this.random = new FakeRandom(plan.seed);
    this.shardCount = plan.shards;
    this.queue = new MemoryQueue(this.time, { visibilitySec: plan.visibilitySec, maxReceiveCount: 10 });
    this.faults = new Faults(
      plan.faults,
      plan.seed,
      () => this.time.monotonicMs(),
      (kind, fault, detail) => this.strike(kind, fault, detail),
    );
    this.environments = new Environments((stage) => this.partsOf(stage));
    this.targets = new SimTargets(this.time, new FakeRandom(plan.seed + 1), this.faults, this.log);
  }

  /** Settings as the template has them: the API alone may run before the first tick. */
  private partsOf(stage: SendingStage): SharedParts {
    const { userSharePerSec } = this.plan;
    return {
      events: {
        put: ({ type, detail: { userId, jobId, execId, status, fence } }) =>
          this.log.add({
            src: 'event',
            type,
            jobKey: jobKeyOf({ userId, jobId }),
            execId,
            status,
            fence,
          }),
      },
      log: this.lines,
      meter: this.meter,
      settings: {
        userLimitsPerSec: userSharePerSec === undefined ? {} : { [DEFAULT_POOL]: userSharePerSec },
        lifecycleEvents: 'all',
        retentionDays: 30,
        horizonMs: HORIZON.usualSec * 1_000,
        shardCount: stage === 'api' ? this.shardCount : undefined,
      },
    };
  }

  /** Starts everything that goes on by itself: clocks, pollers, clients, moments. */
  async start(): Promise<void> {
    await this.time.settle(this.invoke('tick', (node) => this.tickOf({ kind: 'scan' }, node)));
    this.every(MINUTE_MS, () => this.tickAt({ kind: 'scan' }));
    this.every(MINUTE_MS, () => this.tickAt({ kind: 'sweep' }));
    this.every(
      10 * MINUTE_MS,
      () =>
        void this.invokeComposed('auditor', (deps, budget) => auditJobs({ ...deps, ...noQuotas }, budget)),
    );
    this.every(POLL_EVERY_MS, () => this.receive());
    const clients = new SimClients(this);
    for (const action of this.plan.actions) {
      void this.time.sleep(action.atMs - this.time.monotonicMs()).then(() => clients.act(action));
    }
    for (const fault of this.faults.moments) {
      if (fault.kind === 'maintenance') void maintain(fault, this);
      if (fault.kind !== 'purge') continue;
      void this.time.sleep(fault.fromMs - this.time.monotonicMs()).then(() => {
        this.strike('purge', fault.id, `${this.queue.messages.length} messages`);
        this.queue.purge();
      });
    }
  }

  /** Lets time pass. */
  async run(untilMs: number): Promise<void> {
    await this.time.advance(untilMs - this.time.monotonicMs());
  }

  heal(): void {
    this.faults.heal();
    this.log.add({ src: 'run', type: 'healed' });
  }

  /** Notes what is left. */
  end(): void {
    const deadLetters = this.queue.deadLetters.length;
    this.log.add({ src: 'run', type: 'end', ...this.tables.left, queued: this.queued(), deadLetters });
  }

  /** One invocation of a stage, from its start to its end, its death or its time-out. */
  async invoke<T>(
    stage: Stage,
    work: (node: SimNode, budget: TimeBudget) => Promise<T>,
  ): Promise<Invoked<T>> {
    const name = `${stage}-${++this.nodes}`;
    const random = new FakeRandom(this.plan.seed * 31 + this.nodes);
    const node = new SimNode(
      name,
      stage,
      random,
      this.time,
      this.offsetOf(stage, name, random),
      this.plan.conditions.wildClocks ? WILD_STEP_MS : this.plan.conditions.skewMs / 2,
      this.faults.lesionFor(stage),
      (type, { name: victim }, detail, forMs) => {
        if (!detail.startsWith('time-out')) this.strikes += 1;
        this.log.add({ src: 'stage', type, node: victim, detail, forMs });
      },
    );
    const startedMs = this.time.monotonicMs();
    const budget = { remainingMs: () => TIMEOUT_MS[stage] - (this.time.monotonicMs() - startedMs) };
    const over = new AbortController();
    const killed = new Promise<Invoked<T>>((resolve) => node.onDeath(() => resolve({ how: 'killed' })));
    void this.time.sleep(TIMEOUT_MS[stage], over.signal).then(() => {
      if (!over.signal.aborted) node.kill('time-out');
    });
    const done = work(node, budget).then(
      (value): Invoked<T> => ({ how: 'done', value }),
      (error: unknown): Invoked<T> => {
        this.log.add({ src: 'stage', type: 'failed', node: name, detail: String(error) });
        return { how: 'failed' };
      },
    );
    const outcome = await Promise.race([done, killed]);
    over.abort();
    return outcome;
  }

  /** One invocation of a stage that sends executions, in an execution environment of that stage. */
  async invokeComposed<T>(
    stage: SendingStage,
    work: (deps: ExecutorDeps & ApiDeps, budget: TimeBudget, environment: Environment) => Promise<T>,
  ): Promise<Invoked<T>> {
    const environment = this.environments.take(stage);
    const outcome = await this.invoke(stage, async (node, budget) => {
      environment.enter(node, this.connectionsOf(node));
      return work(this.depsOf(node, environment.composed), budget, environment);
    });
    if (outcome.how !== 'killed') this.environments.giveBack(stage, environment);
    return outcome;
  }

  private connectionsOf(node: SimNode): Connections {
    return {
      ...clientsOf(node, this.tables, this),
      executionQueue: executionQueueOf(node, {
        time: this.time,
        faults: this.faults,
        queue: this.queue,
        readyIn: (ms) => void this.time.sleep(ms + this.random.fraction() * 80).then(() => this.receive()),
      }),
    };
  }

  /** What a node of any stage works with. */
  private depsOf(node: SimNode, composed: Composition): ExecutorDeps & ApiDeps {
    return {
      ...composed,
      ...apiSurroundings,
      quotas: noQuotas.quotas,
      tickSwitch: {
        state: async () => {
          await this.time.sleep(node.random.fraction() * 20);
          await node.gate();
          return this.tickSwitch;
        },
        set: async (to) => {
          await this.time.sleep(node.random.fraction() * 20);
          await node.gate();
          this.tickSwitch = to;
          this.log.add({ src: 'operator', type: 'tick', to });
        },
      },
      signingSecrets: async () => {
        await this.time.sleep(node.random.fraction() * 5);
        await node.gate();
        return [`whsec_${Buffer.alloc(32).toString('base64')}`];
      },
      reportBy: () => Promise.reject(new Error('no target of the simulation reports')),
      call: this.targets.from(node),
    };
  }

  async api(request: ApiRequest): Promise<ApiResponse | undefined> {
    const outcome = await this.invokeComposed('api', async (deps) => {
      await deps.clock.sleep(0); // the request is on its way: the node may die before it works on it
      return handleRequest(request, deps);
    });
    return outcome.how === 'done' ? outcome.value : undefined;
  }

  private tickAt(event: TickEvent): void {
    if (this.tickSwitch === 'off') return;
    const at = { stage: 'tick' as const, detail: event.kind };
    if (this.faults.during('ticks-stop', event.kind) || this.faults.strikes('tick-missed', at)) return;
    const times = this.faults.strikes('tick-doubled', at) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const lateMs = this.faults.strikes('tick-late', at) ? this.random.between(5_000, 59_000) : 3_000;
      void this.time
        .sleep(this.random.fraction() * lateMs)
        .then(() => this.invoke('tick', (node) => this.tickOf(event, node)));
    }
  }

  private async tickOf(event: TickEvent, node: SimNode): Promise<void> {
    const raised = this.faults.during('shards-raised', `by ${RAISED_SHARDS}`) ? RAISED_SHARDS : 0;
    const { clock, random } = node;
    const { schedule } = storesOf({
      ...clientsOf(node, this.tables, this),
      tables: TABLES,
      clock,
      random,
    });
    await tick(event, this.shardCount + raised, {
      schedule,
      clock,
      scanQueue: requestQueueOf<ScanRequest>(node, this, (request) => this.scan(request)),
      sweepQueue: requestQueueOf<SweepRequest>(node, this, (request) => this.sweep(request)),
    });
  }

  private scan({ shards }: ScanRequest): void {
    void this.invokeComposed('scanner', (deps, budget) => scanShards(shards, deps, budget));
  }

  private sweep({ shards }: SweepRequest): void {
    void this.invokeComposed('sweeper', (deps, budget, { lastSweeps }) =>
      sweepShards(shards, deps, budget, lastSweeps),
    );
  }

  /** Hands what is visible to executors, a batch each. */
  private receive(): void {
    if (this.faults.strikes('queue-stopped', { detail: '' })) return;
    for (const priority of PRIORITIES) this.receiveFrom(priority, 'own');
    this.receiveFrom('overflow', 'overflow');
  }

  private receiveFrom(lane: Lane, executors: keyof typeof this.executing): void {
    while (this.executing[executors] < this.plan.executors) {
      const batch = this.take(lane);
      if (batch.length === 0) return;
      this.execute(batch, executors);
    }
  }

  private take(lane: Lane): Received[] {
    const batch = this.queue.receive(DEFAULT_POOL, lane, this.random.between(1, 10));
    if (batch.length > 1 && this.faults.strikes('queue-reordered', { detail: `${batch.length}` }))
      batch.reverse();
    return batch;
  }

  private execute(batch: readonly Received[], executors: keyof typeof this.executing): void {
    this.executing[executors] += 1;
    const received = batch.map(({ messageId, message }) => ({ id: messageId, message }));
    void this.invokeComposed('executor', (deps, budget) =>
      executeBatch(received, executors === 'overflow' ? forOverflow(deps) : deps, budget),
    ).then((outcome) => {
      this.executing[executors] -= 1;
      if (this.executing[executors] === this.plan.executors - 1) this.receive();
      if (outcome.how !== 'done') return;
      for (const { messageId, receiptHandle } of batch) {
        if (outcome.value.failedIds.includes(messageId)) continue;
        if (this.faults.strikes('queue-delete-lost', { detail: messageId })) continue;
        this.queue.delete(receiptHandle);
      }
    });
  }

  private every(ms: number, work: () => void): void {
    const again = (): void => {
      void this.time.sleep(ms - (this.time.monotonicMs() % ms)).then(() => {
        work();
        again();
      });
    };
    again();
  }

  private offsetOf(stage: Stage, name: string, random: FakeRandom): number {
    if (this.faults.strikes('clock-wild', { stage, detail: name })) return random.pick(WILD_OFFSETS_MS);
    const half = this.plan.conditions.skewMs / 2;
    return Math.round((random.fraction() * 2 - 1) * half);
  }

  private queued(): { count: number; oldestMs?: number } {
    const visible = this.queue.messages.filter(({ startAtMs }) => startAtMs < this.time.nowMs() - MINUTE_MS);
    const nextMs = this.queue.nextVisibleAtMs();
    const late = nextMs === undefined ? undefined : this.time.monotonicMs() - nextMs;
    return { count: visible.length, oldestMs: late };
  }

  private strike(kind: string, fault: number, detail: string): void {
    this.strikes += 1;
    this.log.add({ src: 'fault', type: kind, fault, detail });
  }
}
