import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test.each([
  ['localhost:8787', 'http://localhost:8787'],
  ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['jobs.example.com', 'https://jobs.example.com'],
  ['ftp://jobs.example.com', 'https://jobs.example.com'],
])('--url %s is a problem, and what was meant is named', async (url, meant) => {
  const { stdout, stderr, exitCode } = await session.run(`doctor --url ${url}`);
  expect(stdout.replaceAll(/ +/g, ' ')).toBe(
    `✗ server the URL is "${url}"; expected one that begins with https:// or http://\n → give it as ${meant}\n`,
  );
  expect([stderr, exitCode, session.requests]).toEqual(['', 1, []]);
});

test('a port beyond the last one is named, with the range', async () => {
  const { stdout } = await session.run('doctor --url http://localhost:99999');
  expect(stdout.replaceAll(/ +/g, ' ')).toBe(
    '✗ server the port of the URL is 99999; expected 1 to 65535\n → correct the port\n',
  );
});

test('a port that fetch refuses is named', async () => {
  session.instead.push(new TypeError('fetch failed', { cause: new Error('bad port') }));
  session.instead.push(new TypeError('fetch failed', { cause: new Error('bad port') }));
  const { stdout } = await session.run('doctor --url http://localhost:6000');
  expect(stdout).toContain('bad port; no program calls port 6000 by HTTP, since another protocol has it');
});

test('without a token, it says once what to do', async () => {
  const { stdout, exitCode } = await session.run('doctor', { env: { QUARTERJACK_TOKEN: '' } });
  expect(stdout.replaceAll(/ +/g, ' ')).toContain(
    '✗ token no token\n → run quarterjack login, or set QUARTERJACK_TOKEN\n',
  );
  expect([stdout.split('quarterjack login').length - 1, exitCode]).toEqual([1, 1]);
});
