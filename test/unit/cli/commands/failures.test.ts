import type { Execution } from '../../../../client';
import { failed } from '../../api/bulk/bulk-calls';
import { FAILED } from '../failed-execution';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const MINUTE_MS = 60_000;
const HTTP = { record: { statusCode: 503, error: 'target answered 503', host: 'billing.example.com' } };
const page = (items: Execution[], nextCursor: string | null = null) =>
  new Response(JSON.stringify({ items, nextCursor }));

/** Two jobs, of which `a` has failed twice and `b` once. */
async function someFailures(): Promise<void> {
  for (const jobId of ['a', 'b'])
    await session.run(
      `jobs create ${jobId} --schedule 'every 1h' --http https://example.com/ --tag id:${jobId}`,
    );
  await failed(session.world, 'a', 5 * MINUTE_MS, HTTP);
  await failed(session.world, 'a', 15 * MINUTE_MS, HTTP);
  await failed(session.world, 'b', 3 * MINUTE_MS, { blocksKey: true, orderingKey: 'k' });
}

describe('failures', () => {
  test('are the inbox of the last day, of all jobs', async () => {
    session.instead.push(page([FAILED]));
    const { stdout, stderr } = await session.run('failures --status failed');
    expect(stdout).toMatch(/^JOB +DUE.*\na +2026-12-01/);
    expect(stderr).toBe('');
    const from = encodeURIComponent(new Date(session.world.clock.nowMs() - 86_400_000).toISOString());
    expect(session.requests).toEqual([
      `GET /v1/failures?status=failed&from=${from}&view=inbox&limit=100`,
      'GET /v1/jobs/a', // its time zone
    ]);
    expect((await session.run('failures')).stdout).toBe('No executions.\n');
  });

  test('are everything with --all', async () => {
    await session.run('failures --all');
    expect(session.requests[0]).not.toContain('view=');
  });

  test('can be selected by tag, host, cause and blocked key', async () => {
    await someFailures();
    const jobIds = async (flags: string) =>
      ((await session.json(`failures ${flags}`)) as Execution[]).map(({ jobId }) => jobId);
    expect(await jobIds('')).toEqual(['b', 'a', 'a']);
    expect(await jobIds('--tag id=a --since 10m')).toEqual(['a']);
    expect(await jobIds('--host billing.example.com')).toEqual(['a', 'a']);
    expect(await jobIds('--group failed/fatal/status/503/-')).toEqual(['b']);
    expect(await jobIds('--blocks-key')).toEqual(['b']);
  });

  test('read on until --limit is filled, and no page further', async () => {
    session.instead.push(page(Array<Execution>(2).fill(FAILED), 'second'), page([FAILED, FAILED], 'third'));
    expect(await session.json('failures --limit 3')).toHaveLength(3);
    expect(session.requests).toHaveLength(2);
    expect((await session.run('failures --limit 0')).stdout).toBe('No executions.\n');
    expect(session.requests).toHaveLength(2);
  });
});

describe('failures groups', () => {
  test('counts by cause', async () => {
    await someFailures();
    const { stdout, stderr } = await session.run('failures groups --since 1h');
    expect(stdout).toMatch(
      /^COUNT +JOBS .*CAUSE +EXCERPT\n1 +1 .* key +failed\/fatal\/status\/503\/-\n2 +1 /,
    );
    expect(stderr).toBe('');
    expect((await session.run('failures groups --tag id:c')).stdout).toBe('No failures.\n');
    expect(await session.json('failures --tag id:b groups')).toMatchObject({ groups: [{ count: 1 }] });
  });

  test('shows what the targets say', async () => {
    await session.run(`jobs create a --schedule 'every 1h' --http https://example.com/`);
    await failed(session.world, 'a', MINUTE_MS, { body: 'UniqueViolation: key 7\nat x' });
    const { stdout } = await session.run('failures groups');
    expect(stdout).toMatch(
      /CAUSE +EXCERPT\n.*failed\/fatal\/status\/503\/-\/[0-9a-f]{8} +UniqueViolation: key 7\n/,
    );
  });

  test('shows lower bounds as such', async () => {
    await someFailures();
    const { listFailures } = session.world.deps.executions;
    session.world.deps.executions.listFailures = async (user, query) => {
      await session.world.clock.advance(11_000);
      return { ...(await listFailures(user, query)), nextAfter: 'more' };
    };
    const { stdout, stderr } = await session.run('failures groups');
    expect(stdout).toContain('≥ 2');
    expect(stderr).toMatch(/lower bounds/);
  });

  test('has no --limit', async () => {
    expect(await session.run('failures groups --limit 5')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('--limit') as string,
    });
  });
});

describe('failures ack', () => {
  test('says to all who knows about a cause, until when and why, and takes it back', async () => {
    await someFailures();
    const [{ fingerprint }] = (
      (await session.json('failures groups')) as { groups: { fingerprint: string }[] }
    ).groups as [{ fingerprint: string }];
    expect((await session.run(`failures ack ${fingerprint} --until 3d --note 'they know'`)).stdout).toBe(
      `${fingerprint} is known until 2026-12-04 08:30:00\n`,
    );
    const { stdout } = await session.run('failures acks');
    expect(stdout).toMatch(/^UNTIL \(UTC\) .*NOTE\n2026-12-04 08:30:00 +1 +alice +failed\/\S+ +they know\n$/);
    expect((await session.run(`failures unack ${fingerprint}`)).exitCode).toBe(0);
    expect((await session.run('failures acks')).stdout).toBe('None.\n');
  });

  test('names a time that is too far ahead', async () => {
    await someFailures();
    const { stderr } = await session.run('failures ack failed/fatal --until 31d');
    expect(stderr).toContain('--until must be within the next 30 days');
  });
});

describe('failures retry', () => {
  test('retries what the flags select, with a note', async () => {
    await someFailures();
    expect((await session.run('failures retry --since 10m --tag id:a --dry-run')).stdout).toBe(
      'one execution would be retried.\n',
    );
    const note = "--note 'billing is back'";
    expect((await session.run(`failures retry --since 1h --tag id:a ${note}`)).stdout).toBe(
      '2 executions retried\n',
    );
    const [first] = (await session.json('executions list a --status retrying')) as Execution[];
    expect(first).toMatchObject({ detail: { note: 'billing is back' } });
    expect(await session.json('failures')).toHaveLength(1);
    expect((await session.run('failures retry')).stdout).toBe('one execution retried\n');
  });

  test('names each that cannot be retried, and ends with the code of the first', async () => {
    await someFailures();
    session.world.deps.executions.userRetry = () => Promise.resolve('lease-lost');
    const { exitCode, stdout } = await session.run('failures retry --tag id:b');
    expect(exitCode).toBe(6);
    expect(stdout).toMatch(/^b 2026\S+ failed: Conflict \(409\): .*\n0 executions retried, 1 failed\n$/);
  });

  test('shows a bar on a terminal, and a line each ten seconds elsewhere', async () => {
    await someFailures();
    const page = (done: number, nextCursor: string | null) =>
      new Response(JSON.stringify({ matched: done, done, unchanged: 0, failed: [], nextCursor }));
    const pages = () => [page(300, null), page(100, 'a'), page(100, 'b'), page(100, null)];
    session.instead.push(...pages());
    expect(await session.run('failures retry')).toMatchObject({
      stdout: '300 executions retried\n',
      stderr: '',
    });
    session.instead.push(...pages());
    const begun = session.requests.length;
    session.beforeRequest = (count) => {
      if (count === begun + 3) session.world.clock.stepWall(10_000);
    };
    expect((await session.run('failures retry')).stderr).toBe('200 of 300 done\n');
    session.beforeRequest = () => undefined;
    session.instead.push(...pages());
    const terminal = await session.run('failures retry', { isTTY: true });
    expect(terminal.stderr).toContain('200/300');
    expect(terminal.stderr).not.toContain('of 300 done');
  });

  test('says what was done if the API fails in between', async () => {
    const page = { matched: 100, done: 100, unchanged: 0, failed: [], nextCursor: 'a' };
    session.instead.push(
      new Response(JSON.stringify({ ...page, matched: 300, nextCursor: null })),
      new Response(JSON.stringify({ ...page, stoppedBy: { detail: 'the quota runsPerMinute is 100' } })),
      new Error('gone'),
      new Error('gone'),
    );
    const { exitCode, stderr } = await session.run('failures retry');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Waiting to go on: the quota runsPerMinute is 100\n');
    expect(stderr).toContain('Stopped: 100 of 300 done.\n');
  });
});
