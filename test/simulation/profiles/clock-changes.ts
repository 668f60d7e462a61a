import { FakeRandom } from '../../support/fake-random';
import { LASTS_WITH_OUTAGE_MS, MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

/** Changes of clocks: an hour or half an hour, forward or back, by night or at midnight. */
const CHANGES = [
  ['Europe/Berlin', '2027-03-28T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2027-03-14T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['America/Santiago', '2027-04-04T03:00Z'],
] as const;
const HOURS = '0-3,23';
const EXPRESSIONS = [
  '* * * * *',
  `* ${HOURS} * * *`,
  `0-59 ${HOURS} * * *`,
  `0/2 ${HOURS} * * *`,
  '0/3 * * * *',
  '45-59 1,2,23 * * *',
  '0-20 0,2,3 * * *',
  '30-40 1,2 * * *',
];
const EXCLUSIONS = [
  '0/5 * * * *',
  '0 * * * *',
  '10-20 2 * * *',
  '0-9 0,3 * * *',
  '50-59 * * * *',
  '2026-10-25',
  '2027-03-28',
  '2026-09-05/2026-09-06',
];

/** The change of a run, and when the run begins: minutes before it. */
export function clockChangeOf(seed: number): { zone: string; changeMs: number; startMs: number } {
  const random = new FakeRandom(seed * 17 + 9);
  const [zone, at] = random.pick(CHANGES);
  const changeMs = Date.parse(at);
  return { zone, changeMs, startMs: changeMs - random.between(2, 8) * MINUTE_MS };
}

function zonedSchedule(random: FakeRandom, zone: string): Record<string, unknown> {
  const excluding = random.fraction() < 0.5 ? { exclude: [random.pick(EXCLUSIONS)] } : {};
  const common = { timezone: zone, ...excluding };
  if (random.fraction() < 0.15) return { type: 'interval', every: '1m', ...common };
  const gap = random.pick(['shift', 'skip']);
  const overlap = random.pick(['first', 'second', 'both']);
  const dst = random.fraction() < 0.7 ? { dst: { gap, overlap } } : {};
  return { type: 'cron', expression: random.pick(EXPRESSIONS), ...common, ...dst };
}

/** Clocks change in the zones of jobs, while ticks stop, stages die and users edit the schedules. */
export const clockChanges = profileOf(
  ({ random, plan, window, kills, actions }) => {
    const { zone } = clockChangeOf(plan.seed);
    const zoned = withEachJob(plan, () => ({ schedule: zonedSchedule(random, zone) }));
    // A crowd stays due at one instant.
    const jobs = zoned.map((action, index) => (action.userId === 'carol' ? plan.actions[index]! : action));
    const fromMs = random.between(MINUTE_MS, 3 * MINUTE_MS);
    return {
      faults: [
        { id: 0, kind: 'ticks-stop', fromMs, untilMs: fromMs + random.between(2, 6) * MINUTE_MS },
        window('target-fails', 0.2),
        window('queue-lost', 0.2),
        window('store-conflict', 0.1, { table: 'schedule' }),
        ...kills(10, 'api', 14),
        ...kills(10, 'scanner', 20),
        ...kills(10, 'sweeper', 20),
      ],
      actions: withActions(
        { ...plan, actions: jobs },
        actions(['patch', 'patch', 'pause', 'resume', 'resume'], 30, (of) => ({
          schedule: zonedSchedule(of, zone),
        })),
      ),
    };
  },
  { startOf: (seed) => clockChangeOf(seed).startMs, lastsMs: LASTS_WITH_OUTAGE_MS },
);
