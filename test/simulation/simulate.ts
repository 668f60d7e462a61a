import { check } from './checker';
import type { SimulationLog } from './log';
import type { RunPlan } from './run-plan';
import { Simulation } from './simulation';
import type { Violation } from './violation';

export interface SimulationResult {
  violations: Violation[];
  log: SimulationLog;
  hash: string;
  /** Faults that struck. */
  strikes: number;
  /** Virtual time from the end of the faults until all was settled. */
  settledAfterMs: number;
}

const MINUTE_MS = 60_000;
/** A message that got lost behind a long queue is sent again within 22 minutes of looks; the auditor comes every ten. */
const SETTLES_WITHIN_MS = 50 * MINUTE_MS;
const FIRST_LOOK_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 5 * MINUTE_MS;

/**
 * Plays one plan: the faults, then peace until nothing that was begun is open. What is broken after the longest time
 * that any repair is allowed stays broken, and is reported.
 */
export async function simulate(plan: RunPlan): Promise<SimulationResult> {
  const world = new Simulation(plan);
  await world.start();
  await world.run(plan.healMs);
  world.heal();
  await world.run(plan.quietFromMs);
  for (let lookMs = plan.quietFromMs + FIRST_LOOK_MS; ; lookMs += LOOK_EVERY_MS) {
    await world.run(lookMs);
    const kept = world.log.records.length;
    world.end();
    const log: SimulationLog = { conditions: plan.conditions, records: world.log.records };
    const violations = check(log);
    const open = violations.some(({ mayHeal }) => mayHeal);
    if (!open || lookMs - plan.healMs >= SETTLES_WITHIN_MS) {
      return {
        violations,
        log,
        hash: world.log.hash(),
        strikes: world.strikes,
        settledAfterMs: lookMs - plan.healMs,
      };
    }
    world.log.records.length = kept;
  }
}
