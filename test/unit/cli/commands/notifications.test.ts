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
    stderr: expect.stringContaining('give one of --http, --email, --pagerduty, --incident-io and --file'),
  });
  expect(session.requests).toEqual([]);
});

test.each([
  [
    "--pagerduty '{{ secrets.pages }}' --region eu --severity failed=critical late=info --late-after 5m",
    { type: 'pagerduty', routingKey: '{{ secrets.pages }}', region: 'eu' },
    { failed: 'critical', late: 'info' },
    'severity +failed critical, late info',
  ],
  [
    "--incident-io '{{ secrets.pages }}' --source-id 01GW2G3V0S59R238FAHPDS1R66 --late-after 5m",
    { type: 'incident-io', sourceId: '01GW2G3V0S59R238FAHPDS1R66', token: '{{ secrets.pages }}' },
    undefined,
    'target +incident-io 01GW2G3V0S59R238FAHPDS1R66',
  ],
])('incidents are set by %s', async (flags, target, severity, shown) => {
  const hosts = '--host events.eu.pagerduty.com --host api.incident.io';
  const secret = await session.run(`secrets set pages ${hosts}`, { stdin: 'x'.repeat(32) });
  expect(secret).toMatchObject({ exitCode: 0, stderr: '' });
  const set = await session.run(`notifications set pages --on failed late ${flags}`);
  expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(shown) });
  const { target: stored, severity: of } = await session.json('notifications get pages');
  expect([stored, of]).toEqual([target, severity]);
});

test.each([
  ['--http https://t.test/ --region eu', '--region is for --pagerduty'],
  ["--incident-io '{{ secrets.io }}'", 'give --incident-io and --source-id together'],
  ['--http https://t.test/ --source-id 01GW', 'give --incident-io and --source-id together'],
])('%s is refused before any request', async (flags, says) => {
  const refused = await session.run(`notifications set ops --on failed ${flags}`);
  expect(refused.stderr).toContain(says);
  expect(session.requests).toEqual([]);
});

test('a kind that does not exist is refused by the API', async () => {
  const refused = await session.run('notifications set ops --on broken --http https://t.test/');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('quarterjack: --on ');
});
