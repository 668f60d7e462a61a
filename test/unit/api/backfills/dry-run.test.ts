import { putEnded } from '../ended-row';
import { ApiWorld } from '../world';

const NIGHTLY = { type: 'cron', expression: '0 2 * * *' };
const NOVEMBER = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };

const world = new ApiWorld();
beforeAll(async () => {
  await world.create({ jobId: 'nightly', schedule: NIGHTLY });
  await world.create({ jobId: 'none', schedule: { type: 'none' } });
  await world.create({ jobId: 'often', schedule: { type: 'cron', expression: '* * * * *' } });
});

const dryRun = (body: object, jobId = 'nightly') =>
  world.call('POST /v1/jobs/{jobId}/backfills', { jobId }, { dryRun: true, ...body });

const rows = () => world.deps.executions.list(world.jobKey('nightly'), { order: 'asc', limit: 100 });

test('counts the dates of a range before the job was created, and what they cost', async () => {
  const { status, body } = await dryRun(NOVEMBER);
  expect(status).toBe(200);
  expect(body).toEqual({
    count: 30,
    first: '2026-11-01T02:00:00.000Z',
    last: '2026-11-30T02:00:00.000Z',
    parallel: 1,
    alreadySucceeded: 0,
    // 10 of the backfill, 3 of its only segment, 5 of each date, 1 for each of those after the first
    estimate: { writes: 10 + 3 + 5 * 30 + 29, dollars: 0.00012 },
  });
});

test('from is the earliest date, and to is none', async () => {
  const { body } = await dryRun({ from: '2026-11-01T02:00:00Z', to: '2026-11-03T02:00:00Z' });
  expect(body).toMatchObject({
    count: 2,
    first: '2026-11-01T02:00:00.000Z',
    last: '2026-11-02T02:00:00.000Z',
  });
});

test('writes nothing, and takes no run of the quota', async () => {
  const { chargeRate } = world.deps.quotas;
  const charged = jest.fn(chargeRate);
  world.deps.quotas.chargeRate = charged;
  await dryRun(NOVEMBER);
  world.deps.quotas.chargeRate = chargeRate;
  expect(charged.mock.calls.filter(([, rate]) => rate === 'runs')).toEqual([]);
  expect((await rows()).executions).toEqual([]);
  expect(await world.deps.backfills.list(world.jobKey('nightly'), { limit: 1 })).toEqual({ backfills: [] });
});

test('leaves out the dates that have succeeded; with all, it counts them too', async () => {
  const own = new ApiWorld();
  await own.create({ jobId: 'nightly', schedule: NIGHTLY });
  await putEnded(own, 'nightly', Date.parse('2026-11-02T02:00:00Z'));
  await putEnded(own, 'nightly', Date.parse('2026-11-30T02:00:00Z'));
  await putEnded(own, 'nightly', Date.parse('2026-11-03T02:00:00Z'), { status: 'failed', reason: 'fatal' });
  const ask = (only?: string) =>
    own.call('POST /v1/jobs/{jobId}/backfills', { jobId: 'nightly' }, { ...NOVEMBER, dryRun: true, only });
  expect((await ask()).body).toMatchObject({
    count: 28,
    last: '2026-11-29T02:00:00.000Z',
    alreadySucceeded: 2,
  });
  expect((await ask('all')).body).toMatchObject({ count: 30, alreadySucceeded: 2 });
});

test('a range without dates has none', async () => {
  const { body } = await dryRun({ from: '2026-11-01T03:00:00Z', to: '2026-11-01T04:00:00Z' });
  expect(body).toMatchObject({ count: 0, first: null, last: null });
});

test('a manual run that has succeeded is no date', async () => {
  const own = new ApiWorld();
  await own.create({ jobId: 'nightly', schedule: NIGHTLY });
  const atMs = Date.parse('2026-11-02T02:00:00Z');
  await own.deps.ends.putEnded({
    jobKey: own.jobKey('nightly'),
    execId: '20261102T020000.000Z-manual',
    trigger: 'manual',
    dueAtMs: atMs,
    status: 'succeeded',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 1,
    attempts: [],
    finishedAtMs: atMs,
  });
  const { body } = await own.call(
    'POST /v1/jobs/{jobId}/backfills',
    { jobId: 'nightly' },
    { ...NOVEMBER, dryRun: true },
  );
  expect(body).toMatchObject({ count: 30, alreadySucceeded: 0 });
});

test('more than 10,000 dates are too many; the answer says where the range may end', async () => {
  const { status, body } = await dryRun(NOVEMBER, 'often');
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    {
      path: 'to',
      message:
        '2026-12-01T00:00:00.000Z is too late: a backfill has at most 10000 dates, and there are more; with this ' +
        'from, to is allowed up to 2026-11-07T22:40:00.000Z',
    },
  ]);
  const upTo = await dryRun({ from: NOVEMBER.from, to: '2026-11-07T22:40:00.000Z' }, 'often');
  expect(upTo.body).toMatchObject({ count: 10_000 });
});

test.each([
  [{ to: NOVEMBER.to }, 'from', 'is required'],
  [{ ...NOVEMBER, from: '2026-11-01' }, 'from', '"2026-11-01" must be a date and time with an offset'],
  [{ from: NOVEMBER.to, to: NOVEMBER.from }, 'to', 'must be later than from'],
  [{ ...NOVEMBER, to: '2127-11-01T00:00:00Z' }, 'to', 'at most 100 years after from'],
  [{ ...NOVEMBER, parallel: 51 }, 'parallel', 'must be a whole number from 1 to 50'],
  [{ ...NOVEMBER, order: 'up' }, 'order', 'must be one of asc, desc'],
  [{ ...NOVEMBER, params: { full: true } }, 'params', 'only allowed for a job with a workflow'],
  [{ ...NOVEMBER, until: 1 }, 'until', 'is not a known field'],
])('%j is refused: %s %s', async (body, path, message) => {
  const answered = await dryRun(body);
  expect(answered.status).toBe(400);
  expect(answered.body.errors).toMatchObject([{ path, message: expect.stringContaining(message) }]);
});

test('a schedule without due times cannot be backfilled', async () => {
  expect(await dryRun(NOVEMBER, 'none')).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/"none" has a schedule of type none/) },
  });
});

test('listing due times stops at a budget of processor time', async () => {
  let ms = 0;
  const slow = new ApiWorld({ cpuMs: () => (ms += 500) });
  await slow.create({ jobId: 'nightly', schedule: NIGHTLY });
  const { status, body } = await slow.call(
    'POST /v1/jobs/{jobId}/backfills',
    { jobId: 'nightly' },
    { ...NOVEMBER, dryRun: true },
  );
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ path: 'to', message: expect.stringContaining('too long to list') }]);
});

test('a job that does not exist, or is another project’s, answers 404', async () => {
  expect((await dryRun(NOVEMBER, 'gone')).status).toBe(404);
  const other = await world.call(
    'POST /v1/jobs/{jobId}/backfills',
    { jobId: 'nightly' },
    { ...NOVEMBER, dryRun: true },
    { user: 'mallory' },
  );
  expect(other.status).toBe(404);
});
