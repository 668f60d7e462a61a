import { instantIn, rangeOf } from '../../../cli/time-flags';
import { Session } from './terminal-session';

const nowMs = Date.parse('2026-11-28T10:20:30Z');
const berlin = { zone: 'Europe/Berlin', nowMs };

test.each([
  ['2026-11-01', '2026-10-31T23:00:00.000Z'],
  ['2026-11-01 2:05', '2026-11-01T01:05:00.000Z'],
  ['2026-11-01T02:05:06', '2026-11-01T01:05:06.000Z'],
  ['2026-11-01T02:00:00Z', '2026-11-01T02:00:00.000Z'],
  ['2026-11-01 02:00:00+05:30', '2026-10-31T20:30:00.000Z'],
  ['now', '2026-11-28T10:20:30.000Z'],
  ['today', '2026-11-27T23:00:00.000Z'],
  ['Yesterday 9:30', '2026-11-27T08:30:00.000Z'],
  ['tomorrow at 00:15', '2026-11-28T23:15:00.000Z'],
  ['2h30m ago', '2026-11-28T07:50:30.000Z'],
  ['in 3d', '2026-12-01T10:20:30.000Z'],
  // Clocks go back on 25 October and forward on 28 March.
  ['2026-10-25 00:00', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['2027-03-29', '2027-03-28T22:00:00.000Z'],
])('%s is %s for a reader in Berlin', (typed, instant) =>
  expect(instantIn('--from', typed, berlin)).toBe(instant),
);

test('yesterday is the day before on the clocks of the zone, not on those of UTC', () => {
  const late = Date.parse('2026-11-28T23:30:00Z'); // the 29th in Berlin
  expect(instantIn('--from', 'yesterday', { zone: 'Europe/Berlin', nowMs: late })).toBe(
    '2026-11-27T23:00:00.000Z',
  );
  expect(instantIn('--from', 'yesterday', { zone: undefined, nowMs: late })).toBe('2026-11-27T00:00:00.000Z');
});

test.each([
  '',
  'someday',
  '2026-13-01',
  '2026-11-01 25:00',
  '12:00',
  '3 ago',
  'now 12:00',
  '2026-11-01T02:00X',
])('%j is refused by the name of its flag', (typed) =>
  expect(() => instantIn('--to', typed, berlin)).toThrow(/^--to is .*; expected a date such as/),
);

test('--from wins over --since, and what is not given is undefined', () => {
  expect(rangeOf({ since: '24h', from: '2026-11-20' }, berlin)).toEqual({
    from: '2026-11-19T23:00:00.000Z',
    to: undefined,
  });
  expect(rangeOf({ since: '1h', to: 'now' }, berlin)).toEqual({
    from: '2026-11-28T09:20:30.000Z',
    to: '2026-11-28T10:20:30.000Z',
  });
  expect(rangeOf({}, berlin)).toEqual({ from: undefined, to: undefined });
});

test.each([
  [
    { from: '2026-11-03', to: '2026-11-01' },
    /^--to is "2026-11-01", which is .*; expected a time after --from/,
  ],
  [{ since: '1h', to: '2h ago' }, /^--to is "2h ago", which is .*; expected a time after --since, which is /],
  [{ from: 'now', to: 'now' }, /^--to is "now"/],
  [{ to: '2299-01-01' }, /^--to is "2299-01-01"; expected a time from 1970 to 2199$/],
  [{ from: '1969-01-01' }, /^--from is "1969-01-01"; expected a time from 1970 to 2199$/],
  [{ from: 'in 9999999d' }, /^--from is "in 9999999d"; expected a time from 1970 to 2199$/],
  [{ from: 'in 999999999d' }, /^--from is "in 999999999d"; expected a time from 1970 to 2199$/],
  [{ since: '999999999d' }, /^--since is "999999999d"; expected a time from 1970 to 2199$/],
  [{ since: '0s' }, /^--since is "0s"; expected a duration of at least 1 ms$/],
  [{ since: '1y' }, /^--since is "1y"; expected a duration such as /],
])('the range %j is refused by the names of its flags', (range, message) => {
  expect(() => rangeOf(range, berlin)).toThrow(message);
});

describe('a time is typed alike in every command', () => {
  const YESTERDAY = encodeURIComponent('2026-11-30T08:30:00.000Z'); // 09:30 in Berlin
  let session: Session;
  beforeAll(async () => {
    session = new Session();
    const zone = '--timezone Europe/Berlin';
    await session.run(`jobs create report --schedule '0 9 * * *' ${zone} --http https://example.com/hook`);
  });
  afterAll(() => session.end());

  test.each([
    'executions list report --from',
    'executions list --from',
    'executions cancel --tag a:b --dry-run --from',
    'failures --from',
    'failures groups --from',
    'audit --from',
    'upcoming --from',
    'load --from',
    'why report --at',
    "preview '0 9 * * *' --timezone Europe/Berlin --from",
    'jobs changes report 1 --created-at',
    'jobs restore report 1 --created-at',
    'backfill report --yes --no-wait --to now --from',
    'keys create ci --role viewer --expires',
  ])('%s', async (command) => {
    const before = session.requests.length;
    await session.run(`${command} 'yesterday 09:30'`);
    const asked = [
      ...session.requests.slice(before),
      ...session.bodies.slice(before).map(encodeURIComponent),
    ];
    expect(asked).toContainEqual(expect.stringContaining(YESTERDAY));
    const wrong = await session.run(`${command} someday`);
    expect(wrong.stderr).toMatch(/^quarterjack: --\S+ is "someday"; expected a date such as/);
  });

  test.each([
    ['executions list report', 'from'],
    ['executions list', 'from'],
    ['executions cancel --tag a:b --dry-run', 'from'],
    ['failures', 'from'],
    ['audit', 'from'],
    ['jobs stats report', 'days'],
  ])('%s --since 2d', async (command, parameter) => {
    const before = session.requests.length;
    expect((await session.run(`${command} --since 2d`)).stderr).not.toContain('unknown option');
    const asked = [...session.requests.slice(before), ...session.bodies.slice(before)].join('\n');
    expect(asked).toMatch(parameter === 'days' ? /days=2\b/ : /from.*2026-11-29T08(:|%3A)30/);
  });

  test('statistics are of whole days, a year at most', async () => {
    expect((await session.run('jobs stats report --since 400d')).stderr).toContain('at most 365d\n');
    expect((await session.run('jobs stats report --since 36h')).stderr).toBe(
      'quarterjack: --since is "36h"; expected whole days such as 7d, at most 365d\n',
    );
  });
});
