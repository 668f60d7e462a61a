import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const STATUS = {
  state: 'stopped',
  stoppedAt: '2026-12-01T08:30:00.000Z',
  stoppedBy: 'operator-1',
  tick: 'off',
  shards: 2,
  scan: { lagSec: 12, shards: [] },
  sweep: { lagSec: null, shards: [] },
  queues: [
    { name: 'default/medium', waiting: 3, inFlight: 20, dead: 1, oldestSec: 412 },
    { name: 'default/long', waiting: 2, inFlight: 0, dead: 0, oldestSec: null },
  ],
  stops: [
    {
      stoppedAt: '2026-12-01T08:30:00.000Z',
      startedAt: null,
      by: 'operator-1',
      startedBy: null,
      reason: 'move of the database',
    },
  ],
  dashboardUrl: 'https://eu-central-1.console.aws.amazon.com/cloudwatch/home#dashboards:name=x',
};
const answer = (body: object) => session.instead.push(new Response(JSON.stringify(body)));

test('the status shows state, lag, dashboard, queues and stops', async () => {
  answer(STATUS);
  const { stdout } = await session.run('admin status');
  expect(stdout).toMatch(
    /^state +stopped\nstopped +Tue 2026-12-01 09:30:00\+01:00 +2026-12-01 08:30:00Z by operator-1\ntick +off\n/,
  );
  expect(stdout).toMatch(
    /scan lag +12 s\nsweep lag +unknown\ndashboard +https:\/\/eu-central-1\.console\.\S+#dashboards:name=x\n/,
  );
  expect(stdout).toMatch(
    /\nQUEUE +WAITING +IN FLIGHT +OLDEST +DEAD\ndefault\/medium +3 +20 +412 s +1\ndefault\/long +2 +0 +unknown +0\n/,
  );
  expect(stdout).toMatch(/\nTue 2026-12-01 09:30:00\+01:00 +operator-1 +move of the database\n$/);
});

test('the dashboard of a local run is at the address of its API', async () => {
  answer({ ...STATUS, dashboardUrl: '/_local/dashboard' });
  const { stdout } = await session.run('admin status');
  expect(stdout).toMatch(/\ndashboard +https?:\/\/[^/\s]+\/_local\/dashboard\n/);
});

test.each([
  ['admin stop --yes --reason rehearsal', 'POST /v1/admin/stop', STATUS],
  ['admin start', 'POST /v1/admin/start', { ...STATUS, state: 'running', stops: [] }],
  ['admin redrive default/medium --max 7', 'POST /v1/admin/redrive', { queue: 'default/medium', moved: 2 }],
])('%s calls %s', async (command, request, body) => {
  answer(body);
  expect(await session.json(command)).toEqual(body);
  expect(session.requests).toEqual([request]);
});

test('a redrive says how many moved', async () => {
  answer({ queue: 'scan', moved: 2 });
  expect(await session.run('admin redrive scan')).toMatchObject({ exitCode: 0, stdout: '2 moved to scan\n' });
});

test('without the scope admin, nothing is done', async () => {
  expect(await session.run('admin status')).toMatchObject({ exitCode: 4 });
});

test('a retry may bring another payload', async () => {
  answer({ execId: 'e', jobId: 'a', status: 'retrying', attempts: [], targets: [] });
  await session.run(`executions retry a e --payload '{"invoice":43}' --json`);
  expect(session.requests).toEqual(['POST /v1/jobs/a/executions/e/retry']);
  expect(await session.run('executions retry a e --payload {nope')).toMatchObject({ exitCode: 3 });
});
