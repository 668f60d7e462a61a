import { version } from '../../../../package.json';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => {
  session = new Session();
  session.world.deps.deployment.version = version;
});
afterEach(() => session.end());

const NO_ROUTE = () => new Response('{"message":"Not Found"}', { status: 404 });
const answering = (server: object) => new Response(JSON.stringify({ features: [], ...server }));
const NEWER = { version: '7.1.0', api: 'v2' };

it('version shows both, and needs no token', async () => {
  const env = { QUARTERJACK_TOKEN: '' };
  expect(await session.run('version', { env })).toMatchObject({
    exitCode: 0,
    stdout: `command line  ${version}\nserver        ${version} (API v1)\n`,
    stderr: '',
  });
  expect(await session.json('version')).toEqual({
    client: { version },
    server: { version, api: 'v1', features: expect.arrayContaining(['explain']) },
  });
});

it('version of a server that has another patch says nothing more', async () => {
  session.instead.push(answering({ version: version.replace(/\d+$/, '99'), api: 'v1' }));
  expect(await session.run('version')).toMatchObject({ exitCode: 0, stderr: '' });
});

it('version without a server shows that of the command line', async () => {
  const ended = await session.run('version', { env: { QUARTERJACK_URL: '' } });
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('none: run quarterjack login'),
  });
});

it('version of a server that does not answer shows that of the command line, and why', async () => {
  session.instead.push(new Error('down'), new Error('down'));
  const { exitCode, stdout, stderr } = await session.run('version');
  expect([exitCode, stdout]).toEqual([7, `command line  ${version}\nserver        unknown\n`]);
  expect(stderr).toMatch(/down/);
});

it.each([
  ['an old server', NO_ROUTE, /the server has no GET \/v1\/version: it is older than this command line/],
  ['another API', () => answering(NEWER), /7\.1\.0 \(API v2\), and this .+: install .+ version 7\n$/],
  ['another major', () => answering({ version: '7.1.0', api: 'v1' }), /install .+ version 7\n$/],
  ['another 0.x', () => answering({ version: '0.99.0', api: 'v1' }), /install .+ version 0\.99\n$/],
])('version of %s says a sentence', async (_name, answer, sentence) => {
  session.instead.push(answer());
  const { exitCode, stderr } = await session.run('version');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(sentence);
});

it.each([
  ['an old server', NO_ROUTE, /it is older than this command line/],
  ['a newer one', () => answering(NEWER), /install a command line of version 7/],
])('a route that %s does not have is explained by its version', async (_name, answer, sentence) => {
  session.instead.push(NO_ROUTE(), answer());
  const { exitCode, stderr } = await session.run('waiting');
  expect(exitCode).toBe(5);
  expect(stderr).toMatch(sentence);
});

it('a job that does not exist asks for no version', async () => {
  const { stderr } = await session.run('jobs get nope');
  expect(stderr).toBe('quarterjack: Not found (404): no such job\n');
  expect(session.requests).toEqual(['GET /v1/jobs/nope']);
});
