import fs, { chmodSync, fstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from './terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const ESCAPES = '\u001b[2J\u009b1A\u202e\u2066\u2028\u200f\u061c\u007f';
// oxlint-disable-next-line no-control-regex -- what must not be printed
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const response = (status: number, body: object) => new Response(JSON.stringify(body), { status });

describe('what an API says', () => {
  test.each([
    ['a problem', { title: `T${ESCAPES}`, status: 418, detail: `d${ESCAPES}`, instance: `i${ESCAPES}` }],
    [
      'errors of fields',
      { status: 400, title: 'T', errors: [{ path: `p${ESCAPES}`, message: `m${ESCAPES}` }] },
    ],
    ['a 401', { title: 'T', status: 401, detail: ESCAPES }],
  ])('in %s cannot control the terminal', async (_, problem) => {
    session.instead.push(response(problem.status, problem));
    const { stderr } = await session.run('jobs get a');
    expect(stderr).toMatch(/^quarterjack: /);
    expect(stderr).not.toMatch(UNSAFE);
  });

  test.each(['', '--json '])('in a job cannot control the terminal: %j', async (flags) => {
    const job = {
      jobId: `a${ESCAPES}`,
      name: ESCAPES,
      schedule: 'rate(1 minute)',
      status: ESCAPES,
      tags: {},
    };
    session.instead.push(response(200, { items: [job], nextCursor: null }));
    const { exitCode, stdout } = await session.run(`${flags}jobs list`);
    expect({ exitCode, isSafe: !UNSAFE.test(stdout) }).toEqual({ exitCode: 0, isSafe: true });
    if (flags) expect(JSON.parse(stdout)).toMatchObject([{ name: ESCAPES }]);
  });
});

describe('a file with aliases', () => {
  const nine = (name: string) => `[${Array(9).fill(`*${name}`).join()}]`;
  const bomb = `a: &a [${Array(9).fill('x').join()}]\nb: &b ${nine('a')}\nc: &c ${nine('b')}\nd: ${nine('c')}\n`;
  const write = (text: string) => {
    const path = join(session.home, 'file.yaml');
    writeFileSync(path, text);
    return path;
  };

  test.each([
    ['that multiply', bomb],
    ['that form a circle', 'payload: &a [*a]\n'],
    ['without an anchor', 'payload: *a\n'],
  ])('%s is a wrong file, without a stack trace', async (_, text) => {
    for (const command of ['jobs create a --file', 'plan']) {
      const indented = text.replaceAll(/^/gm, '  ').trimEnd();
      const path = write(command === 'plan' ? `defaults:\n${indented}\njobs: {}\n` : text);
      const { exitCode, stderr } = await session.run(`${command} ${path}`);
      expect({ command, exitCode }).toEqual({ command, exitCode: 3 });
      expect(stderr).toMatch(/aliases \(\*\) cannot be resolved|alias/i);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
  });
});

describe('a token', () => {
  const login = (url: string) => session.run(`login --url ${url} --token-stdin`, { stdin: 'alice' });

  test.each(['http://jobs.example.com', 'http://10.0.0.5:8787'])('for %s: a warning', async (url) => {
    expect((await login(url)).stderr).toContain(`Warning: ${url} is not https`);
  });

  test.each(['https://jobs.example.com', 'http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:1'])(
    'for %s: no warning',
    async (url) => {
      expect((await login(url)).stderr).not.toContain('Warning');
    },
  );
});

const crontab = '0 3 * * * curl -u user:secret https://example.com/hook\n';

test('a file of imported jobs is readable by its owner only', async () => {
  const out = join(session.home, 'jobs.yaml');
  for (const before of ['no file', 'an open file']) {
    if (before === 'an open file') chmodSync(out, 0o644);
    const { exitCode } = await session.run(`import crontab - --timezone UTC --out ${out}`, {
      stdin: crontab,
    });
    expect(exitCode).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  }
});

test('an open file is narrowed before imported jobs are written to it', async () => {
  const out = join(session.home, 'jobs.yaml');
  writeFileSync(out, `${'# an older and longer file\n'.repeat(100)}`);
  chmodSync(out, 0o644);
  const modes: number[] = [];
  const write = fs.writeFileSync;
  jest.spyOn(fs, 'writeFileSync').mockImplementation((file, ...rest) => {
    modes.push((typeof file === 'number' ? fstatSync(file) : statSync(file as string)).mode & 0o777);
    write(file, ...rest);
  });
  await session.run(`import crontab - --timezone UTC --out ${out}`, { stdin: crontab });
  expect(modes).toEqual([0o600]);
  expect(readFileSync(out, 'utf8')).not.toContain('an older');
});

test('imported jobs can be written to a pipe', async () => {
  const { exitCode } = await session.run('import crontab - --timezone UTC --out /dev/null', {
    stdin: crontab,
  });
  expect([exitCode, statSync('/dev/null').mode & 0o777]).toEqual([0, 0o666]);
});
