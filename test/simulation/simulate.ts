import { check } from './checker';
import type { SimulationLog } from './log';
import { hashByTime, hashOf } from './log-hash';
import type { RunPlan } from './run-plan';
import { Simulation } from './simulation';
import type { Violation } from './violation';

export interface SimulationResult {
  violations: Violation[];
  log: SimulationLog;
  /** The hash of the log. It takes a while, so it is made when it is read. */
  readonly hash: string;
  /** How often faults struck. */
  strikes: number;
  /** What the auditor had to repair. */
  repairs: number;
  /** Virtual time from the end of the faults until the run had settled. */
  settledAfterMs: number;
}

const MINUTE_MS = 60_000;
/**
 * A message lost behind a long queue is sent again within 22 minutes of rechecks. The auditor comes every 10.
 */
const SETTLES_WITHIN_MS = 50 * MINUTE_MS;
/** What the last fault leaves open has been silent for longer than any attempt or wait takes. */
const FIRST_CHECK_MS = 16 * MINUTE_MS;
const CHECK_EVERY_MS = 5 * MINUTE_MS;

/**
 * Plays one plan: a time with faults, then one without, until no work is open. A violation that has not
 * healed after the longest time allowed for a repair is reported.
 */
export async function simulate(plan: RunPlan): Promise<SimulationResult> {
  const world = new Simulation(plan);
  await world.start();
  await world.run(plan.healMs);
  world.heal();
  await world.run(plan.quietFromMs);
  const faultsOverMs = Math.max(plan.healMs, world.lastThawMs);
  const firstCheckMs = Math.max(plan.quietFromMs + CHECK_EVERY_MS, faultsOverMs + FIRST_CHECK_MS);
  for (let checkMs = firstCheckMs; ; checkMs += CHECK_EVERY_MS) {
    await world.run(checkMs);
    const kept = world.log.records.length;
    world.end();
    const log: SimulationLog = { conditions: plan.conditions, records: world.log.records };
    const violations = check(log);
    const open = violations.some(({ mayHeal }) => mayHeal);
    if (!open || checkMs - faultsOverMs >= SETTLES_WITHIN_MS) {
      return {
        violations,
        log,
        get hash() {
          return plan.calm ? hashByTime(log.records) : hashOf(log.records);
        },
        strikes: world.strikes,
        repairs: repairsIn(log),
        settledAfterMs: checkMs - faultsOverMs,
      };
    }
    world.log.records.length = kept;
  }
}

const repairsIn = ({ records }: SimulationLog): number =>
  records.filter(({ src }) => src === 'auditor').length;
