import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('a notification is set, shown, listed, tested and deleted', async () => {
  const flags = '--on late recovered --late-after 5m --tag team:billing --http https://t.test/ops';
  expect(await session.run(`notifications set ops ${flags}`)).toMatchObject({ exitCode: 0 });
  const shown = (await session.run('notifications get ops')).stdout;
  for (const row of [
    /^notification +ops$/m,
    /^on +late, recovered$/m,
    /^tag +team:billing$/m,
    /^late after +5m$/m,
    /^target +http https:\/\/t\.test\/ops$/m,
    /^messages +~n-ops$/m,
  ])
    expect(shown).toMatch(row);
  expect((await session.run('notifications list')).stdout).toContain('ops');
  expect((await session.run('notifications test ops')).stdout).toMatch(/^sent as ~n-ops \S+\n$/);
  expect((await session.run('notifications rm ops --yes')).stdout).toBe('ops is deleted\n');
  expect(await session.run('notifications get ops')).not.toMatchObject({ exitCode: 0 });
});

test('a notification is set from a file', async () => {
  const definition = { on: ['failed'], target: { type: 'http', url: 'https://t.test/ops' }, format: 'slack' };
  const stdin = JSON.stringify(definition);
  expect(await session.run('notifications set ops --file -', { stdin })).toMatchObject({ exitCode: 0 });
  expect(await session.json('notifications get ops')).toMatchObject(definition);
});

test.each([
  ['no target', '--on failed'],
  ['two targets', '--http https://t.test/ --email ops@example.com'],
])('%s is refused before any request', async (_name, flags) => {
  const refused = await session.run(`notifications set ops ${flags}`);
  expect(refused).toMatchObject({
    stderr: expect.stringContaining('give one of --http, --email, --pagerduty and --file'),
  });
  expect(session.requests).toEqual([]);
});

test('a kind that does not exist is refused by the API', async () => {
  const refused = await session.run('notifications set ops --on broken --http https://t.test/');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('quarterjack: --on ');
});
