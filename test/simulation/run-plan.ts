import { FakeChance } from '../support/fake-chance';
import { T0_MS } from '../support/factories';
import { drawFaults, type Fault } from './faults';
import type { LogConditions } from './log';
import { type ClientAction, drawWorkload } from './workload';

export type Mode = LogConditions['mode'];

/** Everything that a run is made of. Taking a fault or an action away leaves all others as they were. */
export interface RunPlan {
  seed: number;
  conditions: LogConditions;
  shards: number;
  visibilitySec: number;
  /** How many executors may be at work at once. */
  executors: number;
  /** Executions of one user and second that go to the queues of their priorities. Absent: all. */
  userSharePerSec?: number;
  faults: Fault[];
  actions: ClientAction[];
  /** Faults are over. */
  healMs: number;
  /** Clients have done their last. */
  quietFromMs: number;
}

const WARM_UP_MS = 20_000;
const MINUTE_MS = 60_000;
/** How many of the seeds have a crowd of jobs due at one instant. */
const CROWDED = 0.04;

export function planOf(seed: number, mode: Mode): RunPlan {
  const chance = new FakeChance(seed * 7_919 + (mode === 'liveness' ? 1 : 0));
  chance.fraction();
  const wildClocks = mode === 'safety' && chance.fraction() < 0.1;
  const skewMs = chance.pick([0, 4_000, 5_000]);
  const crowded = chance.fraction() < CROWDED;
  const healMs = (mode === 'safety' ? 12 : 6) * MINUTE_MS;
  const quietFromMs = (mode === 'safety' ? 12 : 16) * MINUTE_MS;
  const plan: RunPlan = {
    seed,
    conditions: { mode, skewMs, wildClocks },
    shards: chance.between(1, 3),
    visibilitySec: chance.pick([60, 900, 5_400]),
    executors: mode === 'safety' ? chance.pick([4, 1_000, 1_000, 1_000]) : 1_000,
    faults: drawFaults(chance, WARM_UP_MS, healMs, wildClocks),
    actions: drawWorkload(chance, { startMs: T0_MS, fromMs: WARM_UP_MS, untilMs: quietFromMs, crowded }),
    healMs,
    quietFromMs,
  };
  return { ...plan, userSharePerSec: chance.pick([undefined, 1, 4, 40]) };
}
