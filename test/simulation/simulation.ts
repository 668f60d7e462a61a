import { handleRequest } from '../../lambdas/api/handle-request';
import type { IncomingRequest } from '../../lambdas/api/admit';
import { serveRequest } from '../../lambdas/api/serve-request';
import { claimWork } from '../../lambdas/api/work/claim-work';
import type { ApiDeps, ApiResponse } from '../../lambdas/api/request';
import { auditJobs } from '../../lambdas/auditor/audit-jobs';
import type { TimeBudget } from '../../lambdas/core/async/time-budget';
import { MINUTE_MS, SECOND_MS } from '../../lambdas/core/clock/clock';
import type { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import { forOverflow } from '../../lambdas/core/platform/compose';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { executeBatch } from '../../lambdas/executor/execute-batch';
import { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import { MemoryQueue } from '../support/memory-queue';
import { noQuotas } from '../support/no-quotas';
import { RecordingLog } from '../support/recording-log';
import { RecordingMeter } from '../support/recording-meter';
import { AuditPass } from './audit-pass';
import { randomOf } from './calm-random';
import { SimClients } from './clients';
import { type Connections, Environments } from './environments';
import { SimExecutors } from './executors';
import { type Expiry, Ttl } from './expiry';
import { Faults } from './faults';
import { EventLog } from './log';
import { SimNode } from './node';
import { maintain, TickSchedule } from './operators';
import { RecordedTables } from './recorded-tables';
import { restoreTables } from './restores';
import { poolsOf, type RunPlan } from './run-plan';
import { SimErrands } from './sim-errands';
import { startFollower } from './sim-follower';
import { SimReports } from './sim-reports';
import { executionQueueOf, leftIn } from './sim-queues';
import { CodeVersions, executeReadable } from './rollout';
import { clientsOf } from './sim-store';
import { SimTargets } from './sim-target';
import { depsOf, sharedPartsOf } from './stage-deps';
import { type Stage, TIMEOUT_MS } from './stages';
import { SimTicks } from './ticks';
import { SimWorkers } from './sim-workers';
import { USERS } from './workload';

const WILD_OFFSETS_MS = [-3_600_000, -60_000, -20_000, 20_000, 60_000, 3_600_000];
const WILD_STEP_MS = 3_600_000;
const POLL_EVERY_MS = 10 * SECOND_MS;
const MOST_RECEIVES = 10;

export type Invoked<T> = { how: 'done'; value: T } | { how: 'failed' | 'killed' };

/**
 * The whole system on virtual time, composed as in production. Each invocation is a node of its own. The plan
 * and its seed alone decide what happens.
 */
export class Simulation {
  readonly time: FakeClock;
  readonly log = new EventLog(() => this.time.nowMs());
  readonly lines = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly tables = new RecordedTables(this.log, () => this.time.nowMs());
  readonly tickSchedule: TickSchedule;
  readonly faults: Faults;
  readonly targets: SimTargets;
  readonly errands: SimErrands;
  readonly random: FakeRandom;
  private readonly queue: MemoryQueue;
  private readonly executors: SimExecutors;
  private readonly environments: Environments;
  private readonly versions: CodeVersions;
  private spans: ReturnType<typeof startFollower>;
  private nodes = 0;
  strikes = 0;
  /** When the last node that was frozen goes on, in monotonic time. */
  lastThawMs = 0;

  constructor(readonly plan: RunPlan) {
    this.time = new FakeClock(plan.startMs, { promisesOnly: true });
    this.tickSchedule = new TickSchedule(this.time, this.log);
    this.random = randomOf(plan, plan.seed);
    this.queue = new MemoryQueue(this.time, {
      pools: poolsOf(plan),
      visibilitySec: plan.visibilitySec,
      maxReceiveCount: plan.redrive?.afterReceives ?? MOST_RECEIVES,
      parse: (message) => message as ExecutionMessage, // executors read it, each in its version
    });
    const elapsedMs = () => this.time.monotonicMs();
    this.versions = new CodeVersions(plan.rollout, randomOf(plan, plan.seed + 3), elapsedMs);
    this.faults = new Faults(plan.faults, plan.seed, elapsedMs, (kind, fault, detail) =>
      this.strike(kind, fault, detail),
    );
    const { time, faults, log } = this;
    const random = randomOf(plan, plan.seed + 2);
    const reports = new SimReports({ time, faults, log, random, api: (request) => this.api(request) });
    this.targets = new SimTargets(time, randomOf(plan, plan.seed + 1), faults, log, reports);
    this.errands = new SimErrands({
      ...{ time, faults, log },
      random: randomOf(plan, plan.seed + 6),
      invoke: (work) => this.invokeComposed('watcher', (deps, _, node) => work(deps, node)),
    });
    const freezes = plan.freezesEnvironments === true;
    this.environments = new Environments((stage, number) => sharedPartsOf(stage, this, number), freezes);
    this.executors = new SimExecutors({
      queue: this.queue,
      faults: this.faults,
      random: this.random,
      pools: poolsOf(plan),
      most: plan.executors,
      invoke: (batch, group) =>
        this.invokeComposed('executor', (deps, budget, { version }) =>
          executeReadable({ version, batch, unread: (execId) => this.unread(execId) }, (readable) =>
            executeBatch(readable, group === 'overflow' ? forOverflow(deps) : deps, budget),
          ),
        ),
    });
  }

  /** Starts everything that runs by itself: schedules, pollers, clients, operators. */
  async start(): Promise<void> {
    for (const userId of USERS) this.tables.defineLimits(userId, this.plan.conditions);
    const ticks = new SimTicks(this);
    await this.time.settle(ticks.run({ kind: 'scan' }));
    this.every(MINUTE_MS, () => ticks.due({ kind: 'scan' }));
    this.every(MINUTE_MS, () => ticks.due({ kind: 'sweep' }));
    if (!this.plan.withoutAuditor) this.every(10 * MINUTE_MS, () => void this.audit());
    this.every(POLL_EVERY_MS, () => this.executors.receive());
    if (this.plan.redrive) this.every(this.plan.redrive.everyMs, () => void this.redrive());
    if (this.plan.expiry) this.expireRows(this.plan.expiry);
    if (this.plan.restore) void restoreTables(this.plan.restore, this);
    if (this.plan.journal) this.spans = startFollower(this);
    if (this.plan.workers) new SimWorkers(this.plan.workers, this).start();
    const clients = new SimClients(this);
    for (const action of this.plan.actions) this.at(action.atMs, () => void clients.act(action));
    for (const fault of this.faults.moments) {
      if (fault.kind === 'maintenance') void maintain(fault, this);
      if (fault.kind !== 'purge') continue;
      this.at(fault.fromMs, () => {
        this.strike('purge', fault.id, `${this.queue.messages.length} messages`);
        this.queue.purge();
      });
    }
  }

  private expireRows(expiry: Expiry): void {
    const vanished = (table: string, key: object) => this.strike('vanished', 0, JSON.stringify([table, key]));
    const ttl = new Ttl(expiry, randomOf(this.plan, this.plan.seed + 4), this.time, vanished);
    this.tables.onWritten = (...written) => ttl.written(this.tables, ...written);
  }

  /** Loses all messages. */
  purge(): void {
    this.queue.purge();
  }

  async run(untilMs: number): Promise<void> {
    await this.time.advance(untilMs - this.time.monotonicMs());
  }

  heal(): void {
    this.faults.heal();
    this.log.add({ src: 'run', type: 'healed' });
  }

  end(): void {
    const inQueues = leftIn(this.queue, this.time, this.executors.acknowledged);
    this.log.add({ src: 'run', type: 'end', ...this.tables.left, ...inQueues, unsent: this.spans?.left() });
  }

  async api(request: IncomingRequest): Promise<ApiResponse | undefined> {
    const outcome = await this.invokeComposed('api', async (deps) => {
      await deps.clock.sleep(0); // the node may die before it begins
      return handleRequest(request, deps);
    });
    return outcome.how === 'done' ? outcome.value : undefined;
  }

  /** A claim of a worker, which is served by a function of its own. */
  async claim(request: IncomingRequest): Promise<ApiResponse | undefined> {
    const outcome = await this.invokeComposed('worker', (deps) => serveRequest(request, claimWork, deps));
    return outcome.how === 'done' ? outcome.value : undefined;
  }

  /** One invocation of a stage that sends executions, in an execution environment of that stage. */
  async invokeComposed<T>(
    stage: SendingStage,
    work: (deps: ExecutorDeps & ApiDeps, budget: TimeBudget, node: SimNode) => Promise<T>,
  ): Promise<Invoked<T>> {
    const environment = this.environments.take(stage);
    const outcome = await this.invoke(stage, async (node, budget) => {
      environment.enter(node, this.connectionsOf(node));
      return work(depsOf(node, environment.composed, this), budget, node);
    });
    if (outcome.how !== 'killed') this.environments.putBack(stage, environment);
    return outcome;
  }

  /** One invocation of a stage, from its start to its end, its death or its timeout. */
  async invoke<T>(
    stage: Stage,
    work: (node: SimNode, budget: TimeBudget) => Promise<T>,
  ): Promise<Invoked<T>> {
    const node = this.nodeOf(stage);
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
        this.log.add({ src: 'stage', type: 'failed', node: node.name, detail: String(error) });
        return { how: 'failed' };
      },
    );
    const outcome = await Promise.race([done, killed]);
    node.answeredMs = this.time.nowMs();
    over.abort('over'); // with a reason, no error is created for each invocation
    return outcome;
  }

  private nodeOf(stage: Stage): SimNode {
    const name = `${stage}-${++this.nodes}`;
    const random = randomOf(this.plan, this.plan.seed * 31 + this.nodes);
    const { wildClocks, skewMs } = this.plan.conditions;
    const node = new SimNode(
      name,
      stage,
      random,
      this.time,
      this.offsetOf(stage, name, random),
      wildClocks ? WILD_STEP_MS : skewMs / 2,
      this.faults.nodeFaultOf(stage),
      (type, { name: node }, detail, forMs) => {
        if (!detail.startsWith('time-out')) this.strikes += 1;
        if (forMs !== undefined) this.lastThawMs = Math.max(this.lastThawMs, this.time.monotonicMs() + forMs);
        this.log.add({ src: 'stage', type, node, detail, forMs });
      },
    );
    const { messages, writesOldRows } = this.versions.ofInvocation();
    Object.assign(node, { version: messages, writesOldRows });
    return node;
  }

  private offsetOf(stage: Stage, name: string, random: FakeRandom): number {
    if (this.faults.strikes('clock-wild', { stage, detail: name })) return random.pick(WILD_OFFSETS_MS);
    const half = this.plan.conditions.skewMs / 2;
    return Math.round((random.fraction() * 2 - 1) * half);
  }

  private connectionsOf(node: SimNode): Connections {
    const { time, faults, queue } = this;
    const readyIn = (ms: number) =>
      void time.sleep(ms + this.random.fraction() * 80).then(() => this.executors.receive());
    return {
      ...clientsOf(node, this.tables, this),
      executionQueue: executionQueueOf(node, { time, faults, queue, readyIn }),
    };
  }

  private async audit(): Promise<void> {
    const pass = new AuditPass({ time: this.time, log: this.log, queue: this.queue });
    const outcome = await this.invokeComposed('auditor', (deps, budget) =>
      auditJobs({ ...pass.watched(deps), ...noQuotas }, budget),
    );
    if (outcome.how === 'done') pass.ended(outcome.value.repaired);
  }

  private async redrive(): Promise<void> {
    const count = await this.queue.redrive();
    if (count > 0) this.log.add({ src: 'operator', type: 'redrive', count });
  }

  private at(ms: number, work: () => void): void {
    void this.time.sleep(ms - this.time.monotonicMs()).then(work);
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

  /** An invocation got what only the next version of the code can read. */
  unread(what: string): void {
    this.strike('unread', 0, what);
  }

  private strike(kind: string, fault: number, detail: string): void {
    this.strikes += 1;
    this.log.add({ src: 'fault', type: kind, fault, detail });
  }
}
