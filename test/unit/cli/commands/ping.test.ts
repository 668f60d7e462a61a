import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

const KEY = 'qjp_0123456789abcdefabcdefghijklmnopqrstuv012345';
const URL_OF_PING = `https://api.test/p/${KEY}`;

interface Sent {
  path: string;
  rid: string | null;
  body: unknown;
}

let session: Session;
let sent: Sent[];
let answers: Response[];
beforeEach(() => {
  session = new Session();
  sent = [];
  answers = [];
  session.fetch = async (url, { body }) => {
    const { pathname, searchParams } = new URL(url);
    sent.push({ path: pathname.replace(KEY, 'KEY'), rid: searchParams.get('rid'), body });
    return answers.shift() ?? new Response('OK\n');
  };
});
afterEach(() => session.end());

const run = (args: string[], env: Record<string, string> = { QUARTERJACK_PING: URL_OF_PING }) =>
  session.runArgs(['ping', ...args], { env });

test('without a command, one ping says that the job has run', async () => {
  expect(await run([])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(sent).toMatchObject([{ path: '/p/KEY', rid: null }]);
});

test.each([0, 3])('a command that ends with %i is told from its start to its end', async (code) => {
  const ended = await run(['--', 'sh', '-c', `echo out; echo err >&2; exit ${code}`]);
  expect(ended).toEqual({ exitCode: code, stdout: 'out\n', stderr: 'err\n' });
  expect(sent.map(({ path }) => path)).toEqual(['/p/KEY/start', `/p/KEY/${code}`]);
  expect(sent[0]!.rid).toMatch(/^[\da-f-]{36}$/);
  expect(sent[1]!.rid).toBe(sent[0]!.rid);
  expect(String(sent[1]!.body).split('\n').toSorted()).toEqual(['err', 'out']);
});

test('a command that cannot be started is told as 127, which is the exit code too', async () => {
  expect((await run(['--', 'no-such-program-here'])).exitCode).toBe(127);
  expect(sent.map(({ path }) => path)).toEqual(['/p/KEY/start', '/p/KEY/127']);
});

test('the end of a long output is sent', async () => {
  await run(['--', 'sh', '-c', 'seq 1 9000']);
  const lines = String(sent[1]!.body).split('\n');
  expect(lines.at(-1)).toBe('9000');
  expect(Buffer.byteLength(String(sent[1]!.body))).toBeLessThanOrEqual(10_000);
});

test('the command does not get the URL, and what it writes of such URLs is not sent', async () => {
  const command = `echo "<$QUARTERJACK_PING>"; echo ${URL_OF_PING}; seq 1 2000; echo ${URL_OF_PING}`;
  const { stdout } = await run(['--', 'sh', '-c', command]);
  expect(stdout).toMatch(/^<>\n/);
  expect(stdout).toContain(KEY); // what the machine shows is its own
  expect(sent[1]!.body).toMatch(/2000\nhttps:\/\/api\.test\/p\/\[hidden\]$/);
});

test.each([2, 30, 46, 101, 130, 146])(
  'nothing of a key is sent that is cut %i from its end',
  async (left) => {
    const after = ` ${'.'.repeat(10_100 - left - 99)} ${KEY} ${KEY}`;
    await run(['--', 'sh', '-c', `printf '%s' '${'.'.repeat(200)}${KEY}${after}'`]);
    expect(sent[1]!.body).not.toMatch(/[^.[\]hiden ]/);
  },
);

test('the command runs, and its exit code counts, whatever becomes of the pings', async () => {
  answers.push(new Response('not found\n', { status: 404 }), new Response('not found\n', { status: 404 }));
  const ended = await run(['--', 'sh', '-c', 'echo done']);
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'done\n' });
  expect(ended.stderr).toContain('the ping did not arrive: 404 not found');
  answers.push(new Response('not found\n', { status: 404 }));
  expect((await run([])).exitCode).toBe(1);
});

test('a start that does not arrive takes no time from the end', async () => {
  let nowMs = 0;
  const now = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const { fetch } = session;
  session.fetch = (url, init) => {
    if (!url.includes('/start')) return fetch!(url, init);
    nowMs += 60_000;
    throw new Error('no answer');
  };
  expect((await run(['--', 'true'])).stderr).toContain('the ping did not arrive: no answer');
  now.mockRestore();
  expect(sent.map(({ path }) => path)).toEqual(['/p/KEY/0']);
});

test('a ping is sent again where that may help', async () => {
  answers.push(new Response('', { status: 503 }));
  expect((await run([])).exitCode).toBe(0);
  expect(sent).toHaveLength(2);
});

test('the URL comes from a file, or from an argument with a warning, and no message shows it', async () => {
  const file = join(session.home, 'key');
  writeFileSync(file, `${URL_OF_PING}\n`);
  expect(await run(['--key-file', file], {})).toMatchObject({ exitCode: 0, stderr: '' });
  const warned = await run([URL_OF_PING, 'true'], {});
  expect(warned.exitCode).toBe(0);
  expect(warned.stderr).toContain('which all users of this machine can see');
  expect(sent.map(({ path }) => path)).toEqual(['/p/KEY', '/p/KEY/start', '/p/KEY/0']);
  for (const [env, args] of [
    [{ QUARTERJACK_PING: `https://api.test/q/${KEY}` }, []],
    [{}, ['true']],
  ] as const) {
    const refused = await run([...args], env);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).not.toContain(KEY);
  }
  const missing = await run(['--key-file', `${file}.not`, '--', 'true'], {});
  expect(missing).toMatchObject({ exitCode: 3, stderr: `quarterjack: ${file}.not: no such file\n` });
});

test('jobs ping shows the URL of a monitor, and jobs rotate-ping another one', async () => {
  await session.run("jobs create backup --schedule '0 2 * * *' --ping-within 1h");
  const { url, version } = (await session.json('jobs ping backup')) as { url: string; version: number };
  expect([url, version]).toEqual([expect.stringMatching(/\/p\/qjp_[\w-]{44}$/), 1]);
  const { stdout } = await session.run('jobs rotate-ping backup --now');
  expect(stdout).toMatch(/^url +\S*\/p\/qjp_\S+\nbadge +\S*\/badges\/qjb_\S+\.svg\nversion +2\n$/);
  expect(stdout).not.toContain(url);
  expect((await session.run('jobs get backup')).stdout).toContain('1h');
});

describe('the URL of a project', () => {
  const OF_PROJECT = `https://api.test/s/${KEY.replace('qjp', 'qjs')}`;
  const inProject = (args: string[], url = OF_PROJECT) => run(args, { QUARTERJACK_PING: url });
  const paths = () => sent.map(({ path }) => path.replace(/qjs_\w+/, 'KEY'));

  test('pings the monitor that --slug names, and makes it with --create', async () => {
    const urls: string[] = [];
    const { fetch } = session;
    session.fetch = (url, init) => {
      urls.push(url.slice(url.indexOf('?')));
      return fetch!(url, init);
    };
    expect((await inProject(['--slug', 'backup'])).exitCode).toBe(0);
    expect((await inProject(['--slug', 'backup', '--create', '--', 'true'])).exitCode).toBe(0);
    expect((await inProject([], `${OF_PROJECT}/backup`)).exitCode).toBe(0);
    expect(paths()).toEqual(['/s/KEY/backup', '/s/KEY/backup/start', '/s/KEY/backup/0', '/s/KEY/backup']);
    expect(urls.slice(1, 3)).toEqual([
      expect.stringMatching(/^\?rid=[\da-f-]{36}&create=1$/),
      expect.stringMatching(/^\?rid=[\da-f-]{36}&create=1$/),
    ]);
  });

  test.each([
    [[], OF_PROJECT, 'name the monitor by --slug'],
    [['--slug', 'Backup'], OF_PROJECT, 'lower case letters'],
    [['--slug', 'backup'], URL_OF_PING, 'the ping URL of a project'],
  ])('%j is refused, and no message shows the URL', async (args, url, message) => {
    const refused = await inProject(args, url);
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(message) });
    expect(refused.stderr).not.toContain(KEY.slice(4));
  });

  test.each(['show', 'rotate'])('ping-key %s says what makes one where there is none', async (command) => {
    expect(await session.run(`ping-key ${command}`)).toMatchObject({
      exitCode: 5,
      stderr:
        'quarterjack: Not found (404): no such key for pings; an owner makes one by quarterjack ping-key set\n',
    });
  });

  test('ping-key makes, shows, rotates and ends it', async () => {
    const { stdout } = await session.run('ping-key set --allow-create --name servers');
    expect(stdout).toMatch(
      /^url +\S*\/s\/qjs_\S+\/JOB\nname +servers\nmay make monitors +yes\nversion +1\n$/,
    );
    expect((await session.run('ping-key show')).stdout).toBe(stdout);
    expect((await session.run('ping-key rotate --now')).stdout).toMatch(/version +2\n$/);
    expect((await session.run('ping-key set')).stdout).toContain('may make monitors  no');
    await session.run("jobs create backup --schedule '0 2 * * *' --ping-within 1h");
    expect((await session.run('jobs ping backup')).stdout).toMatch(
      /by the project +\S*\/s\/qjs_\S+\/backup\n/,
    );
    expect(await session.run('ping-key delete --yes')).toMatchObject({ exitCode: 0 });
    expect((await session.run('ping-key show')).exitCode).toBe(5);
  });

  test('--debug shows no URL for pings', async () => {
    const { stderr } = await session.run('ping-key set --debug');
    await session.run("jobs create backup --schedule '0 2 * * *' --ping-within 1h");
    const shown = await session.run('jobs ping backup --debug');
    expect(stderr).toContain('/v1/ping-key');
    expect(stderr + shown.stderr).not.toMatch(/qj[psb]_/);
  });
});
