import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const create = (args = '') => session.json(`keys create ci --role editor ${args}`);

test('a key is created, shown once, and accepted as a token', async () => {
  const { stdout, stderr, exitCode } = await session.run(
    'keys create ci --role editor --scope jobs:read --scope jobs:write --expires 90d',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^key +qj_\w{66}\nid +\w{16}\nname +ci\nrole +editor\nscopes +jobs:read jobs:write\nexpires +Mon 2027-03-01 09:30:00\+01:00 +2027-03-01 08:30:00Z\n$/,
  );
  expect(stderr).toBe('The key is shown only this once: keep it now.\n');
  const key = /qj_\w+/.exec(stdout)![0];
  const env = { QUARTERJACK_TOKEN: key };
  const options = "--schedule 'rate(1 day)' --http https://t.test/";
  expect(await session.run(`jobs create a ${options}`, { env })).toMatchObject({ exitCode: 0 });
  expect((await session.run('jobs get a')).stdout).toMatch(/\nby +alice \(key:ci\)\n/);
  expect(await session.run('keys list', { env })).toMatchObject({ exitCode: 4 });
  expect((await session.run('keys list')).stdout).not.toContain(key.slice(20));
});

test('keys are listed with their rights, and never with hidden characters', async () => {
  expect((await session.run('keys list')).stdout).toBe('No API keys.\n');
  const { keyId } = await create();
  expect((await session.run('keys list')).stdout).toMatch(
    new RegExp(
      `\\n${keyId} +ci +editor +jobs:read .*work +Wed 2027-12-01 09:30:00\\+01:00 +never +alice\\n$`,
    ),
  );
  const key = { keyId, name: 'a\u001b[2Jb\u202ec', role: 'viewer', scopes: ['jobs:read'], queues: null };
  const by = { sub: 'm\u009bx', name: null, via: 'key:\u001b]0;x' };
  const item = { ...key, by, createdAt: '', expiresAt: '2027-12-01T08:30:00.000Z', lastUsedOn: null };
  session.instead.push(new Response(JSON.stringify({ items: [item], nextCursor: null })));
  // oxlint-disable-next-line no-control-regex -- those that a terminal would obey
  expect((await session.run('keys list')).stdout).not.toMatch(/[\u001b\u009b\u202e]/);
});

test('a key is bound to work queues', async () => {
  expect(await session.json("keys create etl --role worker --queue 'etl-*' --queue warehouse")).toMatchObject(
    {
      scopes: ['work'],
      queues: ['etl-*', 'warehouse'],
    },
  );
});

test('keys are revoked by id, or all of one creator', async () => {
  const ids = [(await create()).keyId, (await create()).keyId, (await create()).keyId];
  expect(await session.run(`keys revoke ${ids[0]} --yes`)).toMatchObject({
    exitCode: 0,
    stdout: `Revoked ${ids[0]}.\n`,
  });
  expect(await session.run(`keys revoke ${ids[0]} --yes`)).toMatchObject({ exitCode: 5 });
  const { revoked } = await session.json('keys revoke --by alice --yes');
  expect(new Set(revoked)).toEqual(new Set(ids.slice(1)));
  expect((await session.run('keys revoke --by alice --yes')).stderr).toBe('There were no such keys.\n');
  for (const args of ['', `${ids[1]} --by alice`])
    expect(await session.run(`keys revoke ${args}`)).toMatchObject({ exitCode: 3 });
});

test('a role that no key has is wrong usage', async () => {
  expect(await session.run('keys create ci --role owner')).toMatchObject({ exitCode: 3 });
  expect(await session.run('keys create ci')).toMatchObject({ exitCode: 3 });
  expect(session.requests).toEqual([]);
});

test('the audit shows changes with their notes, and denied requests', async () => {
  expect((await session.run('audit')).stdout).toBe('No records.\n');
  const { stdout } = await session.run("keys create ci --role viewer --note 'für CI'");
  const keyId = /id +(\w{16})/.exec(stdout)![1]!;
  await session.world.clock.advance(60_000);
  await session.run('keys list', { env: { QUARTERJACK_TOKEN: 'reader' } });
  expect((await session.run('audit')).stdout).toMatch(
    new RegExp(
      `\\nTue 2026-12-01 09:30:00\\+01:00 +alice +api-key.created +done +${keyId} +name ci, .*; für CI\\n$`,
    ),
  );
  expect(await session.json('audit --since 1s')).toEqual([]);
});

test.each([
  ["jobs create a --schedule 'rate(1 day)' --http https://t.test/", 'first'],
  ['jobs edit a --name A', 'second'],
  ['jobs pause a', 'third'],
  ['jobs resume a', 'fourth'],
])('%s keeps its note with the job', async (command, note) => {
  if (!command.startsWith('jobs create'))
    await session.run("jobs create a --schedule 'rate(1 day)' --http https://t.test/");
  if (command.startsWith('jobs resume')) await session.run('jobs pause a');
  expect(await session.run(`${command} --note '${note} €'`)).toMatchObject({ exitCode: 0 });
  expect(await session.json('jobs get a')).toMatchObject({ note: `${note} €`, by: { sub: 'alice' } });
  expect((await session.run('jobs get a')).stdout).toContain(`${note} €`);
});

test('a run and its cancellation keep their notes', async () => {
  await session.run("jobs create a --schedule 'rate(1 day)' --http https://t.test/");
  const { execId } = await session.json("jobs run a --note 'by hand'");
  expect((await session.run(`executions show a ${execId}`)).stdout).toMatch(/\nby +alice\nnote +by hand\n/);
  expect(await session.json(`executions cancel a ${execId} --note 'not today'`)).toMatchObject({
    detail: { by: { sub: 'alice' }, note: 'not today' },
  });
});

test('a note that is too long is rejected by name', async () => {
  const { exitCode, stderr } = await session.runArgs([
    'keys',
    'create',
    'ci',
    '--role',
    'viewer',
    '--note',
    'x'.repeat(501),
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Quarterjack-Note must have at most 500 characters');
});
