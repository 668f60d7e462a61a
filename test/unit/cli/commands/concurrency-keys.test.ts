import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('a key is set, used by a job, listed, shown and deleted', async () => {
  expect((await session.run('concurrency-keys list')).stdout).toBe('No concurrency keys.\n');
  expect((await session.run('concurrency-keys set crm --limit 3')).stdout).toBe('crm lets 3 run at a time\n');
  const options = "--schedule 'rate(1 day)' --http https://t.test/ --concurrency-key crm";
  expect(await session.run(`jobs create a ${options}`)).toMatchObject({ exitCode: 0 });
  expect((await session.run('jobs get a')).stdout).toMatch(/\nconcurrency +crm\n/);
  expect((await session.run('concurrency-keys list')).stdout).toMatch(/\ncrm +3 +0 +0\n$/);
  expect((await session.run('concurrency-keys show crm')).stdout).toBe('crm: 0 of 3 run, 0 wait\n');
  const refused = await session.run('concurrency-keys rm crm');
  expect(refused.stderr).toContain('the job "a" uses the concurrency key "crm"');
  expect((await session.run('concurrency-keys rm crm --force')).stdout).toBe('crm is deleted\n');
});

test('a limit that is no number is refused by name', async () => {
  expect(await session.run('concurrency-keys set crm --limit many')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('--limit is "many"'),
  });
});
