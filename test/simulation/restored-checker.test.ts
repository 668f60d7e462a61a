import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import { check } from './checker';
import { copyOf } from './copy';
import type { EndRecord, LogRecord, SimulationLog, TargetBegin } from './log';
import { executions } from './mutations/executions';
import { exclusion } from './mutations/exclusion';
import { beginOf, endOf, type Mutable, type Mutation, ofExecution } from './mutations/log-edits';
import { PROFILES } from './profiles/profiles';
import { restoredIn } from './restored-log';
import { simulate } from './simulate';
import { idOf } from './story';
import type { Invariant } from './violation';

/** Seeds whose logs have executions for each mutation, in each part. */
const SEEDS = { all: 282, executions: 34 } as const;
type Tables = keyof typeof SEEDS;

/** The tables have kept the first record of an execution, or have forgotten it, or it is of later. */
const PARTS = ['kept', 'forgotten', 'later'] as const;
type Part = (typeof PARTS)[number];

/** What a later moment of the run may still keep. */
const MAY_HEAL: readonly Invariant[] = ['lost', 'unfinished'];
/** Executions are put back alone only if no job has a gate. */
const OF_GATES: readonly Invariant[] = ['overlap', 'key-apart', 'limit', 'key-order'];

/** Each mutation of which the log has a case. */
function mutationsOf(tables: Tables, part: Part): Mutation[] {
  const all = [...executions, ...exclusion];
  const shown = tables === 'all' ? all : all.filter(([invariant]) => !OF_GATES.includes(invariant));
  const isLost = ([invariant]: Mutation) => MAY_HEAL.includes(invariant);
  if (part !== 'later') return shown.filter((one) => !isLost(one));
  return tables === 'all' ? shown.filter(([invariant]) => invariant !== 'unfinished') : shown;
}

async function validLog(seed: number): Promise<SimulationLog> {
  const plan = PROFILES.get('restored-tables')!(seed);
  const fails = { id: 0, kind: 'target-fails', fromMs: 60_000, untilMs: plan.healMs, rate: 0.3 } as const;
  const { log, violations } = await simulate({ ...plan, faults: [fails] });
  expect(violations).toEqual([]);
  return log;
}

/** The records before the rows were replaced, those that replaced them, and those of later. */
function partsOf(log: SimulationLog): { before: Mutable; restore: Mutable; since: Mutable } {
  const records = copyOf(log.records) as Mutable;
  const { before } = restoredIn({ ...log, records })!;
  const at = records.findIndex(({ src, type }) => src === 'operator' && type === 'restored');
  const from = before.records.length;
  return {
    before: records.slice(0, from),
    restore: records.slice(from, at + 1),
    since: records.slice(at + 1),
  };
}

const withoutEvents = (log: SimulationLog): SimulationLog => ({
  ...log,
  records: log.records.filter(({ src }) => src !== 'event'),
});

/** The log after a mutation that sees the executions of one part alone. */
function mutated(valid: SimulationLog, part: Part, mutate: Mutation[2]): SimulationLog {
  const { before, restore, since } = partsOf(withoutEvents(valid));
  const { toMs } = restoredIn(valid)!;
  const firsts = new Map<string, Part>();
  for (const record of [...before, ...since]) {
    if (record.src !== 'table' || record.type !== 'execution') continue;
    const id = idOf(record.execution);
    const own = record.t > before.at(-1)!.t ? 'later' : record.t > toMs ? 'forgotten' : 'kept';
    if (!firsts.has(id)) firsts.set(id, own);
  }
  const records = part === 'later' ? since : before;
  const end = endOf(records);
  const isOfPart = (row: EndRecord['executions'][0]) => firsts.get(idOf(row)) === part;
  const others = end.executions.filter((row) => !isOfPart(row));
  end.executions = end.executions.filter(isOfPart);
  mutate(records);
  end.executions.push(...others);
  return { ...valid, records: [...before, ...restore, ...since] };
}

const brokenIn = (log: SimulationLog): Invariant[] => [
  ...new Set(check(log).map(({ invariant }) => invariant)),
];

describe.each(['all', 'executions'] as const)('the checker reads both runs of a restore: %s', (tables) => {
  let valid: SimulationLog;
  beforeAll(async () => {
    valid = await validLog(SEEDS[tables]);
    expect(valid.conditions.restored).toBe(tables);
  });

  describe.each(PARTS)('executions that are %s', (part) => {
    // A record of before may contradict one of later. So a mutation may break another promise too.
    test.each(mutationsOf(tables, part))('%s: %s', (invariant, _, mutate) => {
      expect(brokenIn(mutated(valid, part, mutate))).toContain(invariant);
    });
  });
});

describe('all three tables are put back', () => {
  let valid: SimulationLog;
  beforeAll(async () => {
    valid = await validLog(SEEDS.all);
  });

  /** What ran after the time to which the tables were put back, and again since. */
  const ranAgain = ({ before, since }: { before: Mutable; since: Mutable }): TargetBegin => {
    const { toMs } = restoredIn(valid)!;
    const isBegin = (one: LogRecord): one is LogRecord & TargetBegin =>
      one.src === 'target' && one.type === 'begin' && one.fence === 1;
    const forgotten = before.filter(isBegin).filter(({ t }) => t > toMs);
    return since.filter(isBegin).find((call) => forgotten.some((one) => idOf(one) === idOf(call)))!;
  };

  const changed = (change: (parts: ReturnType<typeof partsOf>) => void): Invariant[] => {
    const parts = partsOf(withoutEvents(valid));
    change(parts);
    return brokenIn({ ...valid, records: Object.values(parts).flat() });
  };

  test('what ran since may run again, with its delivery id', () => {
    const { before, restore, since } = partsOf(valid);
    const again = ranAgain({ before, since });
    expect(beginOf(before, again).deliveryId).toBe(again.deliveryId);
    expect(brokenIn({ ...valid, records: [...before, ...restore, ...since] })).toEqual([]);
  });

  test('fence: what runs again does not go on from the fences of then', () => {
    const names = changed(({ before, since }) => {
      const again = ranAgain({ before, since });
      const rows = since.flatMap((one) =>
        one.src === 'table' && one.type === 'execution' && ofExecution(one, again) ? [one.execution] : [],
      );
      for (const row of rows) if (row.fence > 0) row.fence += 1;
    });
    expect(names).toContain('fence');
  });

  test('lost: what fell due since has no record', () => {
    const names = changed(({ before, since }) => {
      const again = ranAgain({ before, since });
      const kept = since.filter((one) => !ofExecution(one, again));
      since.splice(0, since.length, ...kept);
      const end = endOf(since);
      end.executions = end.executions.filter((row) => idOf(row) !== idOf(again));
    });
    expect(names).toContain('lost');
  });

  test('attempts-apart: a call is at work when the rows are replaced', () => {
    const names = changed(({ before }) => {
      before.splice(
        before.findLastIndex(({ src, type }) => src === 'target' && type === 'end'),
        1,
      );
    });
    expect(names).toContain('attempts-apart');
  });

  test('unfinished: an overlap lock names an execution that has no record', () => {
    const names = changed(({ since }) => {
      const { t } = since[0]!;
      const job = endOf(since).jobs.find(
        ({ overlap, status }) => overlap !== 'allow' && status === 'active',
      )!;
      const jobKey = jobKeyOf(job);
      const isLock = (one: LogRecord) =>
        one.src === 'table' && one.type === 'overlap-lock' && one.jobKey === jobKey;
      const kept = since.filter((one) => !isLock(one));
      const lock = { holder: 'forgotten', sinceMs: t };
      since.splice(0, since.length, { n: 0, t, src: 'table', type: 'overlap-lock', jobKey, lock }, ...kept);
    });
    expect(names).toEqual(['unfinished']);
  });
});
