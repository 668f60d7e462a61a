import { FakeRandom } from '../../test/support/fake-random';

const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Africa/Casablanca', 'Australia/Lord_Howe'];
const MINUTES = Array.from({ length: 24 }, (_, hour) => hour).join();
const FAR_DAY_MS = Date.UTC(2027, 0, 2);
const DAY_MS = 86_400_000;
/** As many as a calendar may have. */
const DATES = 500;
export const CALENDARS = ['days', 'halves', 'rare'];

const dayText = (day: number): string => new Date(FAR_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);

/** Calendars with as many entries as allowed: single days, half days, and few days to keep to. */
export const calendarBody = (calendarId: string): object => {
  const days = Array.from({ length: DATES }, (_, week) => dayText(7 * week));
  if (calendarId === 'days') return { dates: days };
  if (calendarId === 'rare') return { dates: days.filter((_, index) => index % 50 === 49) };
  return { dates: days.map((day) => ({ from: `${day}T03:17`, to: `${day}T19:43` })) };
};

/** Expressions that leave little of a day, and differ from hour to hour. */
const excludedTimes = (random: FakeRandom): string[] =>
  Array.from({ length: random.between(5, 10) }, () => {
    const [second, minute, hour] = [random.between(0, 59), random.between(2, 7), random.between(0, 23)];
    return `${second}/3 */${minute} ${hour}-23 * ${random.between(1, 12)} *`;
  });

const drawn = (random: FakeRandom): object => {
  const timezone = random.pick(ZONES);
  const exclude = [{ calendar: 'days' }, { calendar: 'halves' }];
  return random.pick([
    { type: 'cron', expression: '* * * * * *', timezone, exclude: [...excludedTimes(random), ...exclude] },
    { type: 'cron', expression: '*/7 1-59/2 * * * *', timezone, exclude, jitter: '1h' },
    { type: 'cron', expression: '0 9 * * SAT', timezone, exclude },
    { type: 'cron', expression: '0 0 29 2 SAT#5', timezone, exclude },
    { type: 'cron', expression: '0 9 * * *', timezone, only: [{ calendar: 'rare' }] },
    { type: 'cron', expression: `0 ${MINUTES} * * SAT`, timezone, exclude, onExcluded: 'next-day' },
    { type: 'cron', expression: `30 ${MINUTES} LW,15W * *`, timezone, exclude, onExcluded: 'previous-day' },
    { type: 'interval', every: '1s', timezone, exclude: [...excludedTimes(random), ...exclude] },
    { type: 'interval', every: '7d', anchor: '2027-01-02T09:00:00Z', exclude },
    { type: 'interval', every: 'P1M', anchor: '2027-01-31T09:00:00', timezone, exclude },
  ]);
};

/** Definitions that cost much to look up, all of them allowed. */
export function worstJobs(count: number, seed: number): object[] {
  const random = new FakeRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    jobId: `job-${index}`,
    schedule: drawn(random),
    target: { type: 'http', url: 'https://example.com/hook' },
  }));
}
