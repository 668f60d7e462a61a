import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const REPORT = {
  type: 'cron',
  expression: '30 9 * * MON-FRI',
  timezone: 'Europe/Berlin',
  startAt: '2026-01-01T00:00:00Z',
  endAt: '2028-01-01T00:00:00Z',
  exclude: ['2027-12-25'],
  jitter: '30s',
  dst: { gap: 'skip' },
};

const TARGET = ['--http', 'https://example.com/'];
const create = async (schedule: unknown) => {
  const args = ['jobs', 'create', 'report', '--schedule', JSON.stringify(schedule), ...TARGET];
  expect(await session.runArgs(args)).toMatchObject({ exitCode: 0, stderr: '' });
};
const edit = (schedule: string, ...more: string[]) =>
  session.runArgs(['jobs', 'edit', 'report', '--schedule', schedule, ...more]);
const stored = async () => ((await session.json('jobs get report')) as { schedule: unknown }).schedule;

test('a new expression keeps the rest of a schedule of the same type', async () => {
  await create(REPORT);
  expect(await edit('0 8 * * MON-FRI', '--priority', 'high')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await stored()).toEqual({ ...REPORT, expression: '0 8 * * MON-FRI' });
});

test('fields of JSON are merged, and null removes one', async () => {
  await create(REPORT);
  await edit('{"type":"cron","endAt":null,"jitter":"10s"}');
  const { endAt: _, ...rest } = REPORT;
  expect(await stored()).toEqual({ ...rest, jitter: '10s' });
});

test('an interval keeps its anchor and bounds', async () => {
  const hourly = {
    type: 'interval',
    every: '1h',
    anchor: '2026-01-01T00:10:00Z',
    endAt: '2028-01-01T00:00:00Z',
  };
  await create(hourly);
  await edit('every 2h');
  expect(await stored()).toEqual({ ...hourly, every: '2h' });
});

test('a schedule of another type replaces the old one, and the command says what was dropped', async () => {
  await create(REPORT);
  const { stderr } = await edit('every 90s');
  expect(await stored()).toEqual({ type: 'interval', every: '90s' });
  expect(stderr).toBe(
    'The new schedule has another type. Dropped from the old one: timezone, startAt, endAt, jitter, exclude, dst.\n',
  );
  await edit('rate(5 minutes)');
  expect(await stored()).toBe('rate(5 minutes)');
  await edit('0 9 * * *');
  expect(await stored()).toEqual({ type: 'cron', expression: '0 9 * * *' });
});

test('a local time keeps its time zone, and an instant with an offset does not', async () => {
  await create({ type: 'at', at: '2027-01-01T09:00', timezone: 'Europe/Berlin' });
  await edit('2027-02-01T09:00');
  expect(await stored()).toEqual({ type: 'at', at: '2027-02-01T09:00', timezone: 'Europe/Berlin' });
  await edit('2027-03-01T09:00Z');
  expect(await stored()).toEqual({ type: 'at', at: '2027-03-01T09:00Z' });
});
