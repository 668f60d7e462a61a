import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  for (const id of ['a', 'b', 'c'])
    await session.run(
      `jobs create ${id} --schedule 'every 1h' --http https://example.com/ --tag kind=${id === 'c' ? 'y' : 'x'}`,
    );
});
afterEach(() => session.end());

const statuses = async () =>
  ((await session.json('jobs list')) as { status: string }[]).map(({ status }) => status);

test('pause and resume take every flag that selects jobs', async () => {
  expect((await session.run('jobs pause --tag kind:x')).stdout).toBe('2 jobs paused\n');
  expect(await statuses()).toEqual(['paused', 'paused', 'active']);
  expect((await session.run('jobs resume --status paused --prefix b')).stdout).toBe('one job resumed\n');
  expect((await session.run('jobs pause --all')).stdout).toBe('2 jobs paused, 1 unchanged\n');
  expect(await session.json('jobs resume --all')).toEqual({ matched: 3, done: 3, unchanged: 0, failed: [] });
});

test('--dry-run counts', async () => {
  expect((await session.run('jobs delete --tag kind:x --dry-run')).stdout).toBe('2 jobs would be deleted.\n');
  expect(await session.json('jobs pause --all --dry-run')).toEqual({ matched: 3 });
  expect(await statuses()).toEqual(['active', 'active', 'active']);
});

test('delete asks with the count, unless --yes is given', async () => {
  const questions: string[] = [];
  session.ask = (question) => {
    questions.push(question);
    return Promise.resolve('n');
  };
  const no = await session.run('jobs delete --tag kind:x', { isTTY: true });
  expect(no).toMatchObject({ exitCode: 1, stderr: 'Nothing was done.\n' });
  expect(questions).toEqual(['Delete 2 jobs with the tag kind:x: a, b? [y/N] ']);
  await session.run('jobs delete --tag kind:x --yes', { isTTY: true });
  expect(questions).toHaveLength(1);
  expect(await statuses()).toHaveLength(1);
});

test.each([
  ['jobs pause', 'job'],
  ['jobs resume', 'job'],
  ['jobs delete', 'job'],
  ['jobs run', 'job'],
  [`jobs patch '{"priority":"high"}'`, 'job'],
  ['executions cancel', 'execution'],
])('%s says that nothing matches, asks nothing, and succeeds', async (command, what) => {
  session.ask = () => Promise.reject(new Error('asked'));
  for (const flags of ['', ' --dry-run'])
    for (const isTTY of [true, false])
      expect(await session.run(`${command} --prefix zzz${flags}`, { isTTY })).toEqual({
        exitCode: 0,
        stdout: `No ${what} matches.\n`,
        stderr: '',
      });
  expect(await session.json(`${command} --prefix zzz --dry-run`)).toEqual({ matched: 0 });
  const none = { matched: 0, done: 0, unchanged: 0, failed: [] };
  expect(await session.json(`${command} --prefix zzz`)).toEqual(none);
});

test('run starts each job once for each key', async () => {
  expect((await session.run('jobs run --tag kind:x --key nightly')).stdout).toBe('2 jobs started\n');
  expect((await session.run('jobs run --tag kind:x --key nightly')).stdout).toBe(
    '0 jobs started, 2 unchanged\n',
  );
  expect(await session.json('executions list a --status queued')).toHaveLength(1);
});

test('cancel takes what waits of the selected jobs', async () => {
  await session.run('jobs run --all');
  expect((await session.run('executions cancel --tag kind:x --dry-run')).stdout).toBe(
    '2 executions would be cancelled.\n',
  );
  expect((await session.run('executions cancel --tag kind:x --yes')).stdout).toBe('2 executions cancelled\n');
  expect(await session.json('executions list c --status queued')).toHaveLength(1);
});

test('patch changes the selected jobs, and names those that the patch does not fit', async () => {
  expect((await session.run(`jobs patch '{"priority":"high"}' --tag kind:x`)).stdout).toBe(
    '2 jobs changed\n',
  );
  expect(await session.json('jobs get b')).toMatchObject({ priority: 'high' });
  const { exitCode, stdout } = await session.run(`jobs patch '{"pool":"none"}' --prefix c`);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^c failed: pool .*\n0 jobs changed, 1 failed\n$/);
});

test.each([
  'jobs pause',
  'jobs pause a --tag kind:x',
  'jobs pause --all --tag kind:x',
  'jobs pause a --dry-run',
  'jobs run',
  'jobs run a --all',
  'jobs run --all --wait',
  'jobs run a --dry-run',
  `jobs patch '{}'`,
  `jobs patch '[]' --all`,
  'executions cancel',
  'executions cancel a',
  'executions cancel a 20261201T090000.000Z --all',
  'executions cancel a 20261201T090000.000Z --dry-run',
  'failures retry --all',
])('%s is rejected, and changes nothing', async (args) => {
  const before = session.requests.length;
  expect(await session.run(args)).toMatchObject({ exitCode: 3 });
  expect(session.requests).toHaveLength(before);
});
