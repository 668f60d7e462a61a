import type { FakeRandom } from '../../../support/fake-random';
import { type Body, given, maybe } from './drawn';

export const CALENDARS = ['cal-1', 'cal-2'];
export const EVENT_NAMES = ['paid', 'refunded'];
export const EVENT_KEYS = ['k1', 'k2'];
/** The data of events, which some schedules ask for. */
export const REGIONS = ['eu', 'us'];

/** A fixed time of each day in the hour in which a run takes place. Only such times can move. */
const FIXED_TIMES = '31-53 8 * * *';
/** Schedules that cannot move have 'skip' as well. */
const ON_EXCLUDED = [
  'skip',
  'next-day',
  'next-day',
  'next-day',
  'previous-day',
  'previous-day',
  'previous-day',
];
const ZONES = ['UTC', 'Europe/London', 'Africa/Abidjan'];
const TEXTS = ['rate(1 minute)', 'every 45s', '*/2 * * * *', 'cron(0/2 * * * ? *)'];

const instant = (ms: number): string => new Date(ms).toISOString();

/** What recurring schedules have in common: each field by itself. */
function drawRecurring(random: FakeRandom, nowMs: number, canMove: boolean): Body {
  const calendar = () => ({ calendar: random.pick(CALENDARS) });
  return given({
    timezone: maybe(random, 0.3, () => random.pick(ZONES)),
    startAt: maybe(random, 0.3, () => instant(nowMs + random.between(-60, 120) * 1_000)),
    endAt: maybe(random, 0.3, () => instant(nowMs + random.between(180, 600) * 1_000)),
    maxRuns: maybe(random, 0.35, () => random.between(1, 6)),
    jitter: maybe(random, 0.3, () => random.pick(['10s', '30s'])),
    exclude: maybe(random, 0.7, () =>
      random.pick([[calendar()], ['0/3 * * * *'], [calendar(), '0/4 * * * *']]),
    ),
    only: maybe(random, 0.5, () => [calendar()]),
    onExcluded: maybe(random, canMove ? 0.97 : 0.4, () => (canMove ? random.pick(ON_EXCLUDED) : 'skip')),
    dst: maybe(random, 0.3, () =>
      given({
        gap: maybe(random, 0.6, () => random.pick(['shift', 'skip'])),
        overlap: maybe(random, 0.6, () => random.pick(['first', 'second', 'both'])),
      }),
    ),
  });
}

const KINDS = [
  ...['interval', 'interval', 'interval', 'cron', 'cron', 'cron', 'cron', 'cron'],
  ...['text', 'text', 'at', 'at', 'delay', 'delay'],
] as readonly ('interval' | 'cron' | 'text' | 'at' | 'delay')[];
const CAUSED = [
  ...['none', 'event', 'event', 'event'],
  ...['after', 'after', 'after', 'after', 'after'],
] as readonly ('none' | 'event' | 'after')[];

/** A schedule of any kind. `upstream`: jobs that may come before it. */
export function drawSchedule(
  random: FakeRandom,
  { nowMs, upstream }: { nowMs: number; upstream: readonly string[] },
): unknown {
  const kinds = random.fraction() < 0.45 ? CAUSED : KINDS;
  const kind = random.pick<(typeof KINDS)[number] | (typeof CAUSED)[number]>(kinds);
  switch (kind) {
    case 'interval':
      return given({
        type: 'interval',
        every: random.pick(['30s', '45s', '75s', '2m', '3m']),
        anchor: maybe(random, 0.8, () => instant(nowMs - 90_000)),
        ...drawRecurring(random, nowMs, false),
      });
    case 'cron': {
      const canMove = random.fraction() < 0.92;
      const expression = canMove ? FIXED_TIMES : random.pick(['* * * * *', '*/2 * * * *', '30 * * * * *']);
      return { type: 'cron', expression, ...drawRecurring(random, nowMs, canMove) };
    }
    case 'text':
      return random.pick(TEXTS);
    case 'at':
      return given({
        type: 'at',
        at: instant(nowMs + random.between(2_000, 300_000)),
        timezone: maybe(random, 0.3, () => random.pick(ZONES)),
      });
    case 'delay':
      return { type: 'delay', delay: `${random.between(1, 240)}s` };
    case 'event':
      return given({
        type: 'event',
        name: random.pick(EVENT_NAMES),
        where: maybe(random, 0.55, () => ({ region: random.pick(REGIONS) })),
        debounce: maybe(random, 0.5, () => random.pick(['5s', '20s'])),
      });
    case 'after':
      if (upstream.length === 0) return { type: 'none' };
      return given({
        type: 'after',
        jobs: [random.pick(upstream)],
        on: maybe(random, 0.95, () => random.pick(['succeeded', 'failed', 'done'])),
      });
    case 'none':
      return { type: 'none' };
  }
}
