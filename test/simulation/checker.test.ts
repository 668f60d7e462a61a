import { check } from './checker';
import { copyOf } from './copy';
import type { LogRecord, SimulationLog } from './log';
import { backfills } from './mutations/backfills';
import { children } from './mutations/children';
import { claims } from './mutations/claims';
import { errands } from './mutations/errands';
import { exclusion } from './mutations/exclusion';
import { executions } from './mutations/executions';
import { latePromises, promises } from './mutations/promises';
import { journal } from './mutations/journal';
import { monitors } from './mutations/monitors';
import { projectPings } from './mutations/project-pings';
import { rates } from './mutations/rates';
import { runKeys } from './mutations/run-keys';
import { runs } from './mutations/runs';
import { slots } from './mutations/slots';
import { workers } from './mutations/workers';
import { PROFILES } from './profiles/profiles';
import type { Fault } from './faults';
import { planOf } from './run-plan';
import { simulate } from './simulate';
import { INVARIANTS } from './violation';

/** A seed whose runs have several tasks one after another. */
const RUNS_SEED = 11;
/** A seed in which errands end by themselves, and by the wish of users. */
const ERRANDS_SEED = 2;
/** A seed in which a monitor misses, and recovers. */
const MONITORS_SEED = 7;
/** A seed in which pings make monitors, and runs are slow. */
const PINGS_SEED = 2;
/** A seed with executions that wait for a worker at the end. */
const WORKERS_SEED = 11;

const MUTATIONS = [...executions, ...exclusion, ...slots, ...rates, ...promises, ...claims];

/** Each record by itself: in the log, they share what has not changed between two of them. */
const copiesOf = (records: readonly LogRecord[]): LogRecord[] => records.map((record) => copyOf(record));

const DURING = { fromMs: 60_000, untilMs: 240_000 };
const TARGET_FAILS = { id: 0, kind: 'target-fails', ...DURING, rate: 0.3 } as const;
const QUEUE_DELAYED = { id: 1, kind: 'queue-delayed', ...DURING, rate: 0.1 } as const;

/** A log with retries that breaks no invariant: nothing but these faults happens. */
async function validLog(seed: number, faults: readonly Fault[]): Promise<SimulationLog> {
  const plan = planOf(seed, 'liveness');
  const conditions = { ...plan.conditions, notifiedFromMs: Number.MAX_SAFE_INTEGER };
  const { log, violations } = await simulate({ ...plan, conditions, faults: [...faults] });
  expect(violations).toEqual([]);
  return log;
}

test('every invariant has its mutation', () => {
  const all = [
    ...MUTATIONS,
    ...runs,
    ...children,
    ...backfills,
    ...workers,
    ...errands,
    ...runKeys,
    ...journal,
    ...projectPings,
  ].map(([invariant]) => invariant);
  expect(new Set(all)).toEqual(new Set(INVARIANTS));
});

describe('the checker names exactly the invariant that a log breaks', () => {
  let valid: SimulationLog;
  let late: SimulationLog;
  beforeAll(async () => {
    valid = await validLog(46, [TARGET_FAILS]);
    late = await validLog(18, [TARGET_FAILS, QUEUE_DELAYED]);
  });

  test.each(MUTATIONS)('%s: %s', (invariant, _, mutate) => {
    // Most mutations change executions, so their events would no longer be true.
    const records = copiesOf(valid.records).filter(({ src }) => invariant === 'event' || src !== 'event');
    mutate(records);
    const broken = new Set(check({ ...valid, records }).map((violation) => violation.invariant));
    expect([...broken]).toEqual([invariant]);
  });

  test.each(latePromises)('%s: %s', (invariant, _, mutate) => {
    const records = copiesOf(late.records).filter(({ src }) => src !== 'event');
    mutate(records);
    const broken = new Set(check({ ...late, records }).map((violation) => violation.invariant));
    expect([...broken]).toEqual([invariant]);
  });
});

describe.each([
  ['runs', 'workflows', RUNS_SEED, runs],
  ['workers', 'workers', WORKERS_SEED, workers],
] as const)('the checker names the invariant of %s that a log breaks', (_name, profile, seed, mutations) => {
  let valid: SimulationLog;
  beforeAll(async () => {
    const plan = PROFILES.get(profile)!(seed);
    const { log, violations } = await simulate({ ...plan, faults: [] });
    expect(violations).toEqual([]);
    valid = log;
  });

  const checked = new Set(mutations.map(([invariant]) => invariant));

  // A changed time may break more than one promise: of these, it breaks one.
  test.each(mutations)('%s: %s', (invariant, _, mutate) => {
    const records = copiesOf(valid.records);
    mutate(records);
    const broken = new Set(check({ ...valid, records }).map((violation) => violation.invariant));
    expect([...broken].filter((one) => checked.has(one))).toEqual([invariant]);
  });
});

describe.each([
  ['children', RUNS_SEED, [...children, ...backfills]],
  ['errands', ERRANDS_SEED, errands],
  ['run-keys', RUNS_SEED, runKeys],
  ['journal', RUNS_SEED, journal],
  ['monitors', MONITORS_SEED, monitors],
  ['monitors', PINGS_SEED, projectPings],
] as const)('the checker names the invariant of %s that a log breaks', (profile, seed, mutations) => {
  let valid: SimulationLog;
  beforeAll(async () => {
    const plan = PROFILES.get(profile)!(seed);
    const { log, violations } = await simulate({ ...plan, faults: [] });
    expect(violations).toEqual([]);
    valid = log;
  });

  test.each(mutations)('%s: %s', (invariant, _, mutate) => {
    const records = copiesOf(valid.records);
    mutate(records);
    expect(check({ ...valid, records }).map((violation) => violation.invariant)).toContain(invariant);
  });
});
