import { scheduleRows } from '../../../../cli/definition-text';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const get = async (definition: object): Promise<string> => {
  const created = await session.run('jobs create --file -', { stdin: JSON.stringify(definition) });
  expect(created).toMatchObject({ exitCode: 0 });
  return (await session.run('jobs get job')).stdout;
};

const FULL = {
  jobId: 'job',
  name: 'Full',
  schedule: {
    type: 'interval',
    every: '61m',
    timezone: 'Europe/Berlin',
    anchor: '2026-11-01T00:07:00Z',
    startAt: '2026-11-02T00:00:00Z',
    endAt: '2027-11-03T00:00:00Z',
    maxRuns: 4711,
    jitter: '31s',
    exclude: ['2026-12-25', '2026-12-31/2027-01-01'],
    dst: { gap: 'skip', overlap: 'both' },
  },
  target: {
    type: 'http',
    url: 'https://example.com/hook',
    method: 'PUT',
    headers: { 'X-Kind': 'daily', Authorization: 'Bearer hidden-value' },
    timeout: '17s',
    mode: 'async',
    heartbeatTimeout: '93s',
  },
  payload: { order: 42 },
  templates: true,
  priority: 'high',
  retry: {
    maxAttempts: 7,
    initialDelay: '11s',
    maxDelay: '13m',
    multiplier: 1.5,
    jitter: 'none',
    maxAge: '19h',
    on: [409, '4xx'],
  },
  misfire: { policy: 'fire-all', grace: '67s', catchUpWindow: '71m' },
  overlap: 'queue',
  orderingKey: 'customer/42',
  onFailure: 'block',
  timeout: '2d',
  expectEvery: '26h',
  expectDuration: { min: '17s', max: '43m' },
  tags: { team: 'billing' },
};

/** The texts and numbers of a value, at any depth. */
const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

test('jobs get shows every field of a definition', async () => {
  const text = await get(FULL);
  const { type: _type, ...schedule } = FULL.schedule;
  const { type: _http, headers: _headers, ...target } = FULL.target;
  const shown = { ...FULL, schedule, target, onFailure: '(a failure blocks the key)' };
  expect(leavesOf(shown).filter((leaf) => !text.includes(leaf))).toEqual([]);
  expect(text).toContain('X-Kind: daily\n');
});

test('a calendar is named as such', () => {
  const exclude = ['2026-12-25', { calendar: 'de-holidays' }];
  expect(scheduleRows({ type: 'cron', expression: '0 9 * * *', exclude })).toContainEqual([
    '  exclude',
    '2026-12-25, calendar de-holidays',
  ]);
});

test('jobs get hides the values of credentials', async () => {
  const text = await get(FULL);
  expect(text).toContain('Authorization: (hidden: see --json)\n');
  expect(text).not.toContain('hidden-value');
});

test('a small job has few rows, and says how delays are chosen', async () => {
  const text = await get({
    jobId: 'job',
    schedule: { type: 'cron', expression: '0 9 * * *' },
    target: { type: 'http', url: 'https://example.com/' },
  });
  expect(text.replace(/Z.*/g, 'Z')).toMatchInlineSnapshot(`
    "job        job
    status     active
    next       2026-12-01 09:00:00Z
    schedule   0 9 * * *
    target     POST https://example.com/
      timeout  30s
    retry      3 attempts, random delays up to 10s, × 2 each time, at most 1h, none later than 24h after the due time
    misfire    fire-once, grace 60s, catch-up window 1h
    overlap    allow
    timeout    5m
    created    2026-12-01 08:30:00Z
    by         alice
    "
  `);
});

test('a monitor, which nothing calls, has no rows about calls', async () => {
  const text = await get({
    jobId: 'job',
    schedule: { type: 'cron', expression: '0 9 * * *' },
    target: { type: 'monitor', pingWithin: '1h' },
  });
  expect(text.replace(/Z.*/g, 'Z')).toMatchInlineSnapshot(`
    "job        job
    status     active
    next       2026-12-01 09:00:00Z
    schedule   0 9 * * *
    target     monitor 1h
      methods  GET, POST
    timeout    1h
    created    2026-12-01 08:30:00Z
    by         alice
    "
  `);
});

test('the times of a job with a time zone are local too, with their weekday', async () => {
  const text = await get({
    jobId: 'job',
    schedule: { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'Europe/Berlin' },
    target: { type: 'http', url: 'https://example.com/' },
  });
  expect(text).toMatch(/^next +Wed 2026-12-02 09:30:00\+01:00 {2}2026-12-02 08:30:00Z \(in 1d\)$/m);
  expect(text).toMatch(/^created +Tue 2026-12-01 09:30:00\+01:00 {2}2026-12-01 08:30:00Z/m);
});

test('several targets have a row each', async () => {
  const text = await get({
    jobId: 'job',
    schedule: { type: 'cron', expression: '0 9 * * *' },
    targets: [
      { type: 'http', url: 'https://example.com/a' },
      { type: 'http', url: 'https://example.com/b', method: 'GET' },
    ],
    retry: { maxAttempts: 1 },
  });
  expect(text).toMatch(
    /target .*POST https:\/\/example.com\/a\n(?: .*\n)*target .*GET https:\/\/example.com\/b\n/,
  );
  expect(text).toMatch(/retry +1 attempt\n/);
});

test('jobs get says which statuses are retried, and that delays are not random, if a job does', async () => {
  const definition = { schedule: 'rate(5 minutes)', target: { type: 'http', url: 'https://example.com/' } };
  const fixed = { initialDelay: '30s', multiplier: 1, jitter: 'none', on: [409, '5xx'] };
  expect(await get({ jobId: 'job', ...definition, retry: fixed })).toMatch(
    /retry +3 attempts, for statuses 409 5xx, delays of 30s without jitter, × 1 each time, /,
  );
  await session.run('jobs edit job --retry-on none --retry-jitter full');
  const text = (await session.run('jobs get job')).stdout;
  expect(text).toMatch(/retry +3 attempts, for no status, random delays up to 30s, /);
});
