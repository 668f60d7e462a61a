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
  expect((await session.run('concurrency-keys list')).stdout).toMatch(/\ncrm +3 +- +0 +0\n$/);
  expect((await session.run('concurrency-keys show crm')).stdout).toBe('crm: 0 of 3 run, 0 wait\n');
  const refused = await session.run('concurrency-keys rm crm --yes');
  expect(refused.stderr).toContain('the job "a" uses the concurrency key "crm"');
  expect((await session.run('concurrency-keys rm crm --yes --force')).stdout).toBe('crm is deleted\n');
});

test('a rate is set, kept by a change of the limit, shown and removed', async () => {
  const set = async (flags: string) => (await session.run(`concurrency-keys set crm ${flags}`)).stdout;
  expect(await set('--limit 3 --rate 10/1m')).toBe('crm lets 3 run at a time, and 10 start in any 1m\n');
  expect(await set('--limit 2')).toBe('crm lets 2 run at a time, and 10 start in any 1m\n');
  expect((await session.run('concurrency-keys list')).stdout).toMatch(/\ncrm +2 +10\/1m +0 +0\n$/);
  expect((await session.run('concurrency-keys show crm')).stdout).toBe(
    'crm: 0 of 2 run, 0 wait; 0 of 10 started in the last 1m\n',
  );
  expect(await set('--limit 2 --no-rate')).toBe('crm lets 2 run at a time\n');
  expect(await session.run('concurrency-keys set crm --limit 2 --rate ten')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('--rate is "ten"'),
  });
});

test('a key of its own takes no rate from the rule that it had, and a rule has no counts', async () => {
  await session.run("concurrency-keys set 'crm.*' --limit 3 --rate 10/1m");
  expect((await session.run('concurrency-keys set crm.big --limit 20')).stdout).toBe(
    'crm.big lets 20 run at a time\n',
  );
  expect((await session.run('concurrency-keys list')).stdout).toMatch(/\ncrm\.\* +3 +10\/1m +- +-\n/);
  expect((await session.run("concurrency-keys show 'crm.*'")).stdout).toBe(
    'crm.*: 3 of each key run at a time, and 10 start in any 1m\n',
  );
});

test('a limit that is no number is refused by name', async () => {
  expect(await session.run('concurrency-keys set crm --limit many')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('--limit is "many"'),
  });
});
