import { treeOf } from '../../../cli/completion/tree';
import { processIo } from '../../../cli/io';
import { makeProgram } from '../../../cli/program';
import { Session } from './terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const problem = (status: number) =>
  new Response(JSON.stringify({ title: 'T', status, detail: 'd' }), { status });

describe('exit codes', () => {
  test.each<[string, number, () => (Response | Error)[], Record<string, string>?]>([
    ['a token that has expired', 4, () => [], { QUARTERJACK_TOKEN: 'expired' }],
    ['no such job', 5, () => []],
    ['a concurrent change', 6, () => [problem(412)]],
    ['a throttling API', 7, () => [problem(429), problem(429)]],
    ['a failing API', 7, () => [problem(503), problem(503)]],
    ['no network', 7, () => [new Error('down'), new Error('down')]],
    ['an unexpected status', 1, () => [problem(418)]],
    ['a page of something else', 7, () => [new Response('<html>sign in</html>')]],
    ['text', 7, () => [new Response('thanks')]],
    ['an empty response', 7, () => [new Response('')]],
    ['a response of another API', 7, () => [new Response('{}')]],
    ['no API URL', 3, () => [], { QUARTERJACK_URL: '' }],
    ['no token', 3, () => [], { QUARTERJACK_TOKEN: '' }],
  ])('%s: %i', async (_name, exitCode, instead, env = {}) => {
    session.instead.push(...instead());
    const ended = await session.run('jobs get nope', { env });
    expect(ended).toMatchObject({ exitCode, stdout: '' });
    expect(ended.stderr).toMatch(/^quarterjack: .+\n$/);
  });

  test.each([
    ['http://127.0.0.1:8787', 'ECONNREFUSED', /: is it\?; is npm start running\?\n$/],
    ['http://localhost:8787', 'ECONNREFUSED', /: is it\?; is npm start running\?\n$/],
    ['https://api.test', 'ECONNREFUSED', /: is it\?\n$/],
    ['https://api.test', 'ENOTFOUND', /: is it\?; no address is known for api\.test; is the URL right\?\n$/],
    ['http://api.test:443', 'HPE_INVALID_CONSTANT', /; nothing speaks HTTP there; is its URL https:/],
  ])('%s and %s: what to do', async (url, code, text) => {
    const cause = Object.assign(new Error('is it?'), { code });
    const fault = new TypeError('fetch failed', { cause });
    session.instead.push(fault, fault);
    const { stderr, exitCode } = await session.run('jobs list', { env: { QUARTERJACK_URL: url } });
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(text);
  });

  test('http where https was meant says so, without the words of OpenSSL', async () => {
    const cause = Object.assign(
      new Error(
        '80AC6ADD117F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../x.c:3:\n',
      ),
      { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    );
    const fault = new TypeError('fetch failed', { cause });
    session.instead.push(fault, fault);
    const env = { QUARTERJACK_URL: 'https://127.0.0.1:8787' };
    expect((await session.run('jobs get a', { env })).stderr).toBe(
      'quarterjack: GET https://127.0.0.1:8787/v1/jobs/a: ' +
        'nothing speaks TLS there; is its URL http://127.0.0.1:8787?\n',
    );
  });

  test('the first try says that a local run may be down', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    session.instead.push(new TypeError('fetch failed', { cause }));
    const env = { QUARTERJACK_URL: 'http://127.0.0.1:8787' };
    expect(await session.run('jobs list', { env })).toEqual({
      exitCode: 0,
      stdout: 'No jobs.\n',
      stderr: '127.0.0.1:8787 refuses connections: is npm start running? Trying again …\n',
    });
  });

  test('lists say one line, too, if the URL is not of an API', async () => {
    for (const body of ['thanks', '', '{}', '[]', '<html>']) {
      session.instead.push(new Response(body));
      const { exitCode, stderr } = await session.run('jobs list');
      expect({ exitCode, stderr }).toEqual({
        exitCode: 7,
        stderr: expect.stringMatching(/^quarterjack: .*is this the URL of a Quarterjack API\?\n$/) as string,
      });
    }
  });

  test('a missing scope: 4', async () => {
    const env = { QUARTERJACK_TOKEN: 'reader' };
    expect(await session.run("jobs create a --schedule 'in 5m' --http https://e.com", { env })).toMatchObject(
      { exitCode: 4 },
    );
  });

  test.each(['', 'jobs', 'jobs lst', 'jobs get', 'jobs list --nope', 'nope'])(
    '%j on the command line: 3',
    async (args) => {
      const { exitCode, stdout } = await session.runArgs(args.split(' ').filter(Boolean));
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    },
  );

  test.each(['--help', 'jobs --help', 'jobs create --help', 'help jobs', '--version', '-v', '-V'])(
    '%s: 0',
    async (args) => {
      expect(await session.run(args)).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );
});

test('help is of the command that is named, at any depth', async () => {
  for (const words of ['', 'jobs', 'jobs patch', 'executions log']) {
    const { stdout, exitCode } = await session.run(`help ${words}`);
    expect([stdout, exitCode]).toEqual([(await session.run(`${words} --help`)).stdout, 0]);
  }
  expect(await session.run('help jobs ptch')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: 'quarterjack: the command "ptch" is unknown; did you mean "patch"?\n',
  });
  expect((await session.run('help jobs get report')).stderr).toMatch(/get has no commands: "report" is none/);
});

test('each command that takes a time or an execution says how they are named', async () => {
  const nodes = treeOf(makeProgram(processIo(), () => undefined));
  const helps = await Promise.all(
    nodes.map(async ({ path }) => (await session.run(`${path} --help`)).stdout.replaceAll(/\s+/g, ' ')),
  );
  const times = helps.filter((help) => /--\S+ <(time|instant|date|when)>/.test(help));
  expect(times.length).toBeGreaterThan(10);
  for (const help of times) expect(help).toContain('A time is a date (2026-11-01), a local time');
  const named = helps.filter((help) => /^Usage: [a-z -]+(\[options\] )?[<[]jobId[>\]] [<[]execId/.test(help));
  expect(named.length).toBeGreaterThan(14);
  for (const help of named) expect(help).toContain('An execution is named by its id, by a beginning');
});

test('every command has a description and examples in its help', async () => {
  const { stdout } = await session.run('jobs create --help');
  expect(stdout).toContain('Examples:\n  quarterjack jobs create close-42');
  expect(stdout).toContain('--json');
  const tree = treeOf(makeProgram(processIo(), () => undefined));
  const commands = tree.filter(({ path, commands: below }) => path !== '' && below.length === 0);
  expect(commands.length).toBeGreaterThan(20);
  for (const { path: command } of commands)
    expect((await session.run(`${command} --help`)).stdout).toContain('Examples:');
});

describe('colours', () => {
  beforeEach(() => session.run("jobs create a --schedule 'every 5m' --http https://example.com"));
  const coloured = async (options: Parameters<Session['run']>[1]) =>
    (await session.run('jobs list', options)).stdout.includes('\x1b[');

  test('are used on terminals only', async () => {
    expect(await coloured({ isTTY: true })).toBe(true);
    expect(await coloured({})).toBe(false);
  });

  test('can be turned off and on by the environment', async () => {
    expect(await coloured({ isTTY: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await coloured({ isTTY: true, env: { TERM: 'dumb' } })).toBe(false);
    expect(await coloured({ env: { FORCE_COLOR: '1' } })).toBe(true);
  });

  test('are never in JSON', async () => {
    expect((await session.run('jobs list --json', { isTTY: true })).stdout).not.toContain('\x1b[');
  });
});
