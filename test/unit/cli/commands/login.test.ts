import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const NO_ENV = { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '' };
const configPath = () => join(session.home, '.config/quarterjack/config.json');
const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

/** The session's API takes any text as a token: it is the name of the user. */
const login = (args: string, stdin = '') =>
  session.run(`login --url https://api.test ${args}`, { env: NO_ENV, stdin });
const list = (args = '', env = {}) => session.run(`jobs list ${args}`, { env: { ...NO_ENV, ...env } });

test('stores a token that only its owner can read, and commands use it', async () => {
  expect(await login('--token-stdin', 'alice\n')).toMatchObject({
    exitCode: 0,
    stdout: 'Signed in to https://api.test as profile default.\n',
  });
  expect(statSync(configPath()).mode & 0o777).toBe(0o600);
  expect(statSync(join(configPath(), '..')).mode & 0o777).toBe(0o700);
  expect(await list()).toMatchObject({ exitCode: 0, stdout: 'No jobs.\n' });
});

test('stores the profile under XDG_CONFIG_HOME', async () => {
  const env = { ...NO_ENV, XDG_CONFIG_HOME: join(session.home, 'xdg') };
  await session.run('login --url https://api.test --token-stdin', { env, stdin: 'alice' });
  expect(statSync(join(session.home, 'xdg/quarterjack/config.json')).isFile()).toBe(true);
});

test('a token that the API rejects is not stored', async () => {
  expect(await login('--token-stdin', 'expired')).toMatchObject({ exitCode: 4 });
  expect(await list()).toMatchObject({ exitCode: 3 });
});

test('the latest profile is used unless another is named', async () => {
  await login('--profile one --token-stdin', 'alice');
  await login('--profile two --token-stdin', 'bob');
  await session.run("jobs create a --schedule 'in 5m' --http https://e.com --profile one", { env: NO_ENV });
  expect((await list('--profile one')).stdout).toContain('a ');
  expect((await list()).stdout).toBe('No jobs.\n');
  expect((await list('', { QUARTERJACK_PROFILE: 'one' })).stdout).toContain('a ');
  expect((await session.run('profiles', { env: NO_ENV })).stdout).toMatch(/^PROFILE.*\none .*\ntwo \* /);
  await session.run('logout --profile two', { env: NO_ENV });
  expect(await list('--profile two')).toMatchObject({ exitCode: 3 });
});

test('without --profile, the profile default is written, and never the current one', async () => {
  await login('--profile prod --token-stdin', 'alice');
  await session.run("jobs create a --schedule 'in 5m' --http https://example.com", { env: NO_ENV });
  expect((await login('--token-stdin', 'bob')).stdout).toContain('as profile default.');
  expect((await list('--profile prod')).stdout).toContain('a ');
  expect((await list()).stdout).toBe('No jobs.\n');
});

test('without --profile, a profile of another URL is never replaced', async () => {
  await login('--token-stdin', 'alice');
  const elsewhere = ['--token-stdin', "--token-command 'echo a.b.c'", ''].map((how) =>
    session.run(`login --url https://elsewhere.test ${how}`, { env: NO_ENV, stdin: 'bob' }),
  );
  for (const { exitCode, stderr } of await Promise.all(elsewhere))
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr:
        'quarterjack: profile default is for https://api.test; name the one for https://elsewhere.test with --profile NAME\n',
    });
  expect((await list()).exitCode).toBe(0);
});

test('a URL that is none is a usage error', async () => {
  await login('--token-stdin', 'alice');
  const { exitCode, stderr } = await session.run('jobs list --url nonsense', { env: NO_ENV });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr:
      'quarterjack: the URL is "nonsense"; expected one that begins with https:// or http://; give it as https://nonsense\n',
  });
});

test('a token is sent only to the URL of its profile', async () => {
  await login('--token-stdin', 'alice');
  const { exitCode, stderr } = await session.run('jobs list --url https://elsewhere.test', { env: NO_ENV });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('is for https://api.test and is not sent to https://elsewhere.test');
});

describe('a token command', () => {
  const calls = () => readFileSync(join(session.home, 'calls'), 'utf8').length;
  const commandOf = (token: string) => `printf x >> ${join(session.home, 'calls')}; echo ${token}`;

  test('runs again only when the last token is about to expire', async () => {
    const nowSec = session.world.clock.nowMs() / 1_000;
    await login(`--token-command '${commandOf(jwt({ exp: nowSec + 3_600 }))}'`);
    await list();
    await list();
    expect(calls()).toBe(1);
    await login(`--token-command '${commandOf(jwt({ exp: nowSec + 10 }))}'`);
    await list();
    expect(calls()).toBe(3);
  });

  test('runs in the directory of the login, wherever a command runs', async () => {
    session.cwd = session.home;
    const aboutToExpire = session.world.clock.nowMs() / 1_000 + 10; // it runs again at each command
    writeFileSync(join(session.home, 'token'), jwt({ exp: aboutToExpire }));
    expect(await login("--token-command 'cat token'")).toMatchObject({ exitCode: 0 });
    session.cwd = '/';
    expect(await list()).toMatchObject({ exitCode: 0 });
  });

  test('that fails says where it ran', async () => {
    session.cwd = session.home;
    const { stderr } = await login("--token-command 'exit 3'");
    expect(stderr).toContain(`the token command failed (3) in ${session.home}: exit 3`);
  });

  test.each(['exit 3', 'echo not a token'])('%s does not sign in', async (command) => {
    expect(await login(`--token-command '${command}'`)).toMatchObject({ exitCode: 4 });
  });
});

test.each([
  ['login --token-stdin', '--url is missing'],
  ['login --url https://api.test', 'does not say how to sign in; use --token-stdin or --token-command'],
  ['login --url https://api.test --token-stdin --token-command x', 'give only one of'],
  ['login --url nonsense --token-stdin', 'expected the URL of the API'],
  ['login --url https://api.test --token-stdin --profile ../x', 'the profile name is "../x"'],
])('%s is rejected', async (args, message) => {
  const { exitCode, stderr } = await session.run(args, { env: NO_ENV, stdin: 'alice' });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(message);
});

test('a config file that is not JSON is reported', async () => {
  await login('--token-stdin', 'alice');
  writeFileSync(configPath(), '{');
  expect((await list()).stderr).toContain('config.json is not valid JSON');
});
