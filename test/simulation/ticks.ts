import type { ApiDeps } from '../../lambdas/api/request';
import type { TimeBudget } from '../../lambdas/core/async/time-budget';
import type {
  ProbeRequest,
  ScanRequest,
  SweepRequest,
  TickEvent,
} from '../../lambdas/core/contracts/messages';
import { storesOf } from '../../lambdas/core/platform/stores';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { sweeperPorts } from '../../lambdas/sweeper/ports';
import { sweepShards } from '../../lambdas/sweeper/sweep-shards';

import { tick } from '../../lambdas/tick/plan-requests';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { TABLES } from '../support/dynamo/memory-backend';
import type { FakeRandom } from '../support/fake-random';
import type { Faults } from './faults';
import type { SimNode } from './node';
import type { RecordedTables } from './recorded-tables';
import { reads } from './rollout';
import { requestQueueOf } from './sim-queues';
import { clientsOf } from './sim-store';
import type { StageWorld } from './stage-deps';
import type { Stage } from './stages';

const RAISED_SHARDS = 3;
/** A request that is not read comes again after six times the time limit of its stage. */
const REQUEST_COMES_AGAIN_MS = 360_000;

/** What the tick uses of the world. */
export interface TickWorld extends Pick<StageWorld, 'plan' | 'time' | 'log' | 'tickSchedule' | 'errands'> {
  faults: Faults;
  random: FakeRandom;
  tables: RecordedTables;
  invoke(stage: Stage, work: (node: SimNode) => Promise<void>): Promise<unknown>;
  invokeComposed(
    stage: 'scanner' | 'sweeper',
    work: (deps: ExecutorDeps & ApiDeps, budget: TimeBudget, node: SimNode) => Promise<void>,
  ): Promise<unknown>;
  unread(what: string): void;
}

/** The tick, and what it brings about: requests to scan and sweep, each in an invocation of its stage. */
export class SimTicks {
  constructor(private readonly world: TickWorld) {}

  /** The schedule of the tick is due. */
  due(event: TickEvent): void {
    const { tickSchedule, faults, random, time } = this.world;
    if (tickSchedule.state === 'off') return;
    const at = { stage: 'tick' as const, detail: event.kind };
    if (faults.during('ticks-stop', event.kind) || faults.strikes('tick-missed', at)) return;
    const times = faults.strikes('tick-doubled', at) ? 2 : 1;
    for (let count = 0; count < times; count++) {
      const lateMs = faults.strikes('tick-late', at) ? random.between(5_000, 59_000) : 3_000;
      void time.sleep(random.fraction() * lateMs).then(() => this.run(event));
    }
  }

  /** One invocation of the tick. */
  async run(event: TickEvent): Promise<void> {
    await this.world.invoke('tick', (node) => this.request(event, node));
  }

  private async request(event: TickEvent, node: SimNode): Promise<void> {
    const { faults, plan, tables } = this.world;
    const raised = faults.during('shards-raised', `by ${RAISED_SHARDS}`) ? RAISED_SHARDS : 0;
    const { clock, random } = node;
    const { schedule } = storesOf({ ...clientsOf(node, tables, this.world), tables: TABLES, clock, random });
    await tick(event, plan.shards + raised, {
      schedule,
      clock,
      scanQueue: requestQueueOf<ScanRequest>(node, this.world, (request) => this.scan(request)),
      sweepQueue: requestQueueOf<SweepRequest>(node, this.world, (request) => this.sweep(request)),
    });
  }

  private scan(request: ScanRequest): void {
    void this.world.invokeComposed('scanner', async (deps, budget, { version }) => {
      if (reads(version, request)) await scanShards(request.shards, deps, budget);
      else this.later(() => this.scan(request));
    });
  }

  private sweep(request: SweepRequest): void {
    const probes = {
      mayProbe: () => true,
      order: async (probe: ProbeRequest) => this.world.errands.order(probe),
    };
    void this.world.invokeComposed('sweeper', async (deps, budget, { version }) => {
      const sweeper = { ...deps, ...sweeperPorts, probes };
      if (reads(version, request)) await sweepShards(request.shards, sweeper, budget);
      else this.later(() => this.sweep(request));
    });
  }

  private later(comesAgain: () => void): void {
    this.world.unread('a request');
    void this.world.time.sleep(REQUEST_COMES_AGAIN_MS).then(comesAgain);
  }
}
