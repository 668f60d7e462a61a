import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { Packs } from '../../lambdas/core/store/dynamo/entries';
import { FakeRandom } from '../support/fake-random';
import { T0_MS } from '../support/factories';
import type { Expiry } from './expiry';
import { drawFaults, drawMaintenance, type Fault } from './faults';
import type { LogConditions } from './log';
import type { Restore } from './restores';
import type { Rollout } from './rollout';
import type { WorkersPlan } from './sim-workers';
import { type ClientAction, drawWorkload } from './workload';

export type Mode = LogConditions['mode'];

/** All of a run. Removing a fault or an action leaves the others as they were. */
export interface RunPlan {
  seed: number;
  conditions: LogConditions;
  shards: number;
  visibilitySec: number;
  /** How many executors may run at once. */
  executors: number;
  /** Pools beside the default one. Absent: none. */
  pools?: readonly string[];
  /** Executions per user and second that go to the queues of their priorities. Absent: no limit. */
  userSharePerSec?: number;
  faults: Fault[];
  actions: ClientAction[];
  /** The wall clock at the beginning. Absent: that of all factories. */
  startMs?: number;
  /** End of the faults. */
  healMs: number;
  /** End of the clients' actions. */
  quietFromMs: number;
  /** No auditor repairs what the pipeline itself should have done. */
  withoutAuditor?: true;
  /** When a message becomes a dead letter, and how often operators redrive them. Absent: 10, never. */
  redrive?: { afterReceives: number; everyMs: number };
  /** What an invocation leaves pending goes on when the next one begins. Absent: it goes on at once. */
  freezesEnvironments?: true;
  /** Rows vanish within the run. Absent: they outlive it. */
  expiry?: Expiry;
  /** Operators stop the deployment, put tables back to an earlier time, and start it again. */
  restore?: Restore;
  /** Processes that claim the work of these queues, for each user. Absent: none. */
  workers?: WorkersPlan;
  /** The next version of the code comes. Absent: one version runs. */
  rollout?: Rollout;
  /** Ends are kept in the journal. Absent: there is none. */
  journal?: true;
  /**
   * What becomes of next entries that could share a row, by environment. Several: a deployment changes it, so
   * environments of each kind run side by side. Absent: no stage writes packs, or looks for them.
   */
  packs?: readonly Packs[];
  /** Without faults, and each wait of one kind takes equally long. Absent: waits are drawn. */
  calm?: true;
}

export const poolsOf = ({ pools = [] }: RunPlan): string[] => [DEFAULT_POOL, ...pools];

/** The clients of a plan, without faults. What is drawn within the run takes the middle of its range. */
export const calmed = (plan: RunPlan): RunPlan => ({ ...plan, faults: [], calm: true });

const WARM_UP_MS = 20_000;
const MINUTE_MS = 60_000;
/** Part of the seeds that have many jobs due at one instant. */
const CROWDED = 0.04;

export interface PlanOptions {
  /** The wall clock at the beginning. Default: that of all factories. */
  startMs?: number;
  /** For how long faults and clients' actions last. Default: that of the mode. */
  lastsMs?: number;
}

export function planOf(seed: number, mode: Mode, { startMs = T0_MS, lastsMs }: PlanOptions = {}): RunPlan {
  const random = new FakeRandom(seed * 7_919 + (mode === 'liveness' ? 1 : 0));
  random.fraction();
  const wildClocks = mode === 'safety' && random.fraction() < 0.1;
  const skewMs = random.pick([0, 4_000, 5_000]);
  const crowded = random.fraction() < CROWDED;
  const healMs = lastsMs ?? (mode === 'safety' ? 12 : 6) * MINUTE_MS;
  const quietFromMs = lastsMs ?? (mode === 'safety' ? 12 : 16) * MINUTE_MS;
  const plan: RunPlan = {
    seed,
    conditions: { mode, skewMs, wildClocks },
    shards: random.between(1, 3),
    visibilitySec: random.pick([60, 900, 5_400]),
    executors: mode === 'safety' ? random.pick([4, 1_000, 1_000, 1_000]) : 1_000,
    faults: drawFaults(random, WARM_UP_MS, healMs, wildClocks),
    actions: drawWorkload(random, { startMs, fromMs: WARM_UP_MS, untilMs: quietFromMs, crowded }),
    healMs,
    quietFromMs,
    ...(startMs !== T0_MS && { startMs }),
  };
  const { faults } = plan;
  const maintenance = drawMaintenance(new FakeRandom(seed * 104_729 + 3), faults.length, WARM_UP_MS, healMs);
  return {
    ...plan,
    userSharePerSec: random.pick([undefined, 1, 4, 40]),
    faults: [...faults, ...maintenance],
  };
}
