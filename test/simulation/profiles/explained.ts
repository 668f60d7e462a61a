import type { FakeRandom } from '../../support/fake-random';
import { clockChangeOf } from './clock-changes';
import { LASTS_WITH_OUTAGE_MS, MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

const HOURS = '0-3,23';
const FIXED_TIMES = [
  `* ${HOURS} * * *`,
  `0/2 ${HOURS} * * *`,
  '0-20,30-40 0,1,2,3,23 * * *',
  '0,1,2,3,4,5,30,59 0,1,2,3,23 * * *',
];

const ACTIONS = [
  'create',
  'create',
  'patch',
  'pause',
  'resume',
  'resume',
  'cancel',
  'cancel',
  'retry',
  'delete',
] as const;

/** A schedule with everything that can leave a time out. */
function schedule(random: FakeRandom, zone: string, startMs: number): Record<string, unknown> {
  const at = (minutes: number) => new Date(startMs + minutes * MINUTE_MS).toISOString();
  const bounds = random.pick<Record<string, unknown>>([
    {},
    {},
    { maxRuns: random.between(1, 4) },
    { endAt: at(random.between(4, 14)) },
    { startAt: at(random.between(1, 6)) },
    { exclude: [`${random.between(0, 5)}/6 * * * *`] },
  ]);
  switch (random.pick(['interval', 'cron', 'cron', 'fixed', 'fixed'] as const)) {
    case 'interval':
      return { type: 'interval', every: random.pick(['20s', '45s', '1m', '90s']), ...bounds };
    case 'cron':
      return { type: 'cron', expression: random.pick(['* * * * *', '*/2 * * * *']), ...bounds };
    case 'fixed': {
      const dst = { gap: random.pick(['shift', 'skip']), overlap: random.pick(['first', 'second', 'both']) };
      return { type: 'cron', expression: random.pick(FIXED_TIMES), timezone: zone, dst, ...bounds };
    }
  }
}

/** Concurrency keys: one lets a single execution run at a time, the other few start. */
const LIMITS = { 'one-slot': 1, 'few-starts': 5 };
const ONE_SLOT = { concurrencyKey: 'one-slot' };
const FEW_STARTS = { concurrencyKey: 'few-starts' };
const RATES = { 'few-starts': { limit: 1, per: '3m' } };

/**
 * Runs that meet every reason for which an occurrence runs or does not. They are near a change of clocks.
 * They have an outage of the tick, maintenance and slow targets. Users change, pause, delete and cancel.
 */
export const explained = profileOf(
  ({ random, plan, window, kills, actions }) => {
    const { zone, startMs } = clockChangeOf(plan.seed);
    const own = withEachJob(plan, () => ({
      schedule: schedule(random, zone, startMs),
      overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
      orderingKey: random.pick([null, null, 'key-1']),
      ...random.pick([{}, {}, ONE_SLOT, ONE_SLOT, ONE_SLOT, FEW_STARTS, FEW_STARTS]),
      misfire: {
        policy: random.pick(['skip', 'skip', 'skip', 'fire-once', 'fire-all']),
        grace: '60s',
        catchUpWindow: '2m',
      },
    })).filter(({ userId }) => userId !== 'carol');
    const fromMs = random.between(MINUTE_MS, 2 * MINUTE_MS);
    return {
      conditions: { ...plan.conditions, limits: LIMITS, rates: RATES },
      faults: [
        { id: 0, kind: 'ticks-stop', fromMs, untilMs: fromMs + 6 * MINUTE_MS },
        {
          id: 1_000,
          kind: 'maintenance',
          fromMs: 8.5 * MINUTE_MS,
          untilMs: 9.5 * MINUTE_MS,
        },
        window('target-fails', 0.2),
        window('target-slow', 0.3),
        window('target-hangs', 0.2),
        window('queue-lost', 0.1),
        ...kills(6, 'executor', 14),
      ],
      actions: withActions(
        { ...plan, actions: own },
        actions(ACTIONS, 30, (of) => ({
          schedule: schedule(of, zone, startMs),
        })),
      ),
    };
  },
  { startOf: (seed) => clockChangeOf(seed).startMs, lastsMs: LASTS_WITH_OUTAGE_MS },
);
