import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '../../support/eventually';
import { ListeningWorkServer } from '../../support/listening-work-server';

const PAGE = join(__dirname, '../../../docs/worker-languages.md');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const [, program = ''] = /^```python\n(.*?)^```/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];

test('the page has a program', () => {
  expect(program).toContain('def handle(payload, stop):');
});

// A checkout needs nothing but Node.js.
if (hasPython) {
  const server = new ListeningWorkServer();
  let worker: ChildProcess;
  beforeAll(async () => {
    await server.listen();
    const env = { PATH: process.env.PATH, QUARTERJACK_URL: server.url, QUARTERJACK_TOKEN: 'key' };
    worker = spawn('python3', ['-c', program], { env, stdio: 'inherit' });
  });
  afterAll(async () => {
    const ended = new Promise((done) => worker.once('exit', done));
    worker.kill('SIGKILL');
    await ended;
    server.close();
  });

  test('the Python worker of the page claims, keeps leases, reports, and repeats a lost claim', async () => {
    server.faults.push({ path: '/v1/work/claim', isLost: true });
    server.offer({ payload: { table: 'orders' } });
    server.offer({ payload: { rows: 7 } });
    server.offer({ payload: { table: 'long', seconds: 10 }, heartbeatTimeout: '9s' });
    const cancelled = server.offer({ payload: { table: 'endless', seconds: 600 }, heartbeatTimeout: '9s' });
    cancelled.cancelRequested = true;
    const gone = server.offer({ payload: { table: 'x' } });
    server.faults.push({
      path: '/v1/attempts/complete',
      answer: Response.json({ status: 503 }, { status: 503 }),
    });
    await eventually(
      () => server.executions.map(({ status }) => status),
      (statuses) => statuses.every((status) => status !== 'waiting' && status !== 'running'),
      60_000,
    );
    expect(server.executions).toMatchObject([
      { status: 'succeeded', result: { loaded: 'orders' }, lapses: 0 },
      { status: 'failed', error: 'the payload has no table', retriable: false },
      { status: 'succeeded', lapses: 0 },
      { status: 'cancelled', error: 'stopped', lapses: 0 },
      { status: 'succeeded', fence: 1 },
    ]);
    expect(gone.lapses).toBe(0);
    const paths = server.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/attempts/heartbeat').length).toBeGreaterThan(1);
  }, 90_000);
}
