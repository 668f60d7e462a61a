import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const create = (id: string, expression: string, flags = '') =>
  session.run(`jobs create ${id} --schedule '${expression}' --http https://example.com/hook ${flags}`);

describe('upcoming', () => {
  test('lists the next due times of all jobs in order', async () => {
    await create('report', '0 10 * * *', "--timezone Europe/Berlin --name 'Daily report'");
    await create('sync', '*/20 * * * *', '--tag team=a');
    const { stdout, stderr } = await session.run('upcoming --limit 3');
    expect(stdout).toBe(
      'DUE                            IN   JOB     NAME\n' +
        'Tue 2026-12-01 08:40:00+00:00  10m  sync\n' +
        'Tue 2026-12-01 10:00:00+01:00  30m  report  Daily report\n' +
        'Tue 2026-12-01 09:00:00+00:00  30m  sync\n',
    );
    expect(stderr).toBe('');
    const { items } = await session.json('upcoming --tag team=a --to 2026-12-01T09:00:00Z');
    expect(items).toMatchObject([{ jobId: 'sync' }]);
    expect((await session.run('upcoming --prefix none')).stdout).toBe(
      'Nothing is due from 2026-12-01 08:30:00Z to 2026-12-02 08:30:00Z.\n',
    );
  });

  test('says that the list may be incomplete', async () => {
    await create('sync', '* * * * *');
    let cpuMs = 0;
    session.world.deps.cpuMs = () => (cpuMs += 900);
    const { stderr, exitCode } = await session.run('upcoming');
    expect(stderr).toBe('The list may be incomplete: the request took too long. Filter the jobs.\n');
    expect(exitCode).toBe(0);
  });
});

describe('load', () => {
  test('draws a map of the hours, and names the busiest minutes', async () => {
    await create('a', '0 9 * * *');
    await create('b', '0 9 * * *');
    await create('c', '30 9 * * *');
    const { stdout } = await session.run('load --to 2026-12-01T10:00:00Z');
    const [first, second, , total, key, , head, busiest] = stdout.split('\n');
    expect(first).toBe(`Tue 12-01 08:00  ${' '.repeat(30)}${'·'.repeat(30)}`);
    expect(second).toBe(`Tue 12-01 09:00  █${'·'.repeat(29)}▒${'·'.repeat(29)}`);
    expect(total).toBe('3 occurrences of 3 jobs planned.');
    expect(key).toBe('· none, █ 2 in a minute');
    expect([head, busiest]).toEqual(['BUSIEST (UTC)         PLANNED', 'Tue 2026-12-01 09:00  2']);
  });

  test('adds up all pages', async () => {
    for (const id of ['a', 'b', 'c']) await create(id, '0 9 * * *');
    let cpuMs = 0;
    session.world.deps.cpuMs = () => (cpuMs += 10_000);
    const { counts, jobs } = await session.json('load');
    expect(session.requests.filter((request) => request.startsWith('GET /v1/load'))).toHaveLength(3);
    expect(counts[30]).toBe(3);
    expect(jobs).toBe(3);
  });

  test('--near names the quietest minute near a time', async () => {
    await create('many', '0-5,7-10 9 * * *');
    await create('before', '50-59 8 * * *');
    expect((await session.run('load --near 09:00')).stdout).toBe(
      'Quietest within 10 minutes of 09:00 UTC: 09:06, with 0 planned; 09:00 has 1.\n',
    );
    expect(await session.json('load --near 09:00 --tag none=1')).toMatchObject({ at: '09:00', count: 0 });
  });

  test.each([
    ['load --near 9:00', '--near is "9:00"; expected a time from 00:00 to 23:59'],
    ['load --near 12:00 --to 2026-12-01T09:00:00Z', '--near is 12:00: no minute near it lies between'],
  ])('%s is rejected', async (args, message) => {
    const { exitCode, stderr } = await session.run(args);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
  });
});

test('jobs stats shows how the executions of a job went', async () => {
  await create('a', '* * * * *');
  const nowMs = session.world.clock.nowMs();
  await putEnded(session.world, 'a', nowMs, { durationMs: 300 });
  await putEnded(session.world, 'a', nowMs + 60_000, {
    status: 'failed',
    reason: 'fatal',
    durationMs: 1_218_000,
  });
  await session.world.clock.advance(120_000);
  expect(await session.run('jobs stats a --days 7')).toMatchObject({ exitCode: 3 });
  const { stdout } = await session.run('jobs stats a --since 7d');
  expect(stdout).toMatch(/\nexecutions +1 failed, 1 succeeded\nsuccess +50\.0 %/);
  expect(stdout).toContain('p50 300 ms, p95 20m 18s, longest 20m 18s');
  expect(stdout).not.toContain('rows');
  expect(stdout).toMatch(/cost +about \$0\.000407 to \$0\.004062 for 2 attempts/);
  expect(await session.json('jobs stats a')).toMatchObject({ successRate: 0.5, complete: true });
  expect((await session.run('jobs stats none')).exitCode).toBe(5);
});
