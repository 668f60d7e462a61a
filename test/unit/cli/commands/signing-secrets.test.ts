import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const answer = (body: object) => session.instead.push(new Response(JSON.stringify(body)));
const SECRET = {
  host: 'hooks.example.com:8443',
  secret: 'whsec_AAAA',
  version: 2,
  signingAlong: [{ version: 1, until: '2026-12-02T08:30:00.000Z' }],
};

test('the secret of a host is shown with what signs along', async () => {
  answer(SECRET);
  const { stdout } = await session.run('signing-secret show --host hooks.example.com:8443');
  expect(stdout).toMatch(/^host +hooks\.example\.com:8443\nsecret +whsec_AAAA\nversion +2\n/);
  expect(stdout).toMatch(/\nsigning along +version 1 until 2026-12-02 08:30:00\n$/);
  expect(session.requests).toEqual(['GET /v1/signing-secret?host=hooks.example.com%3A8443']);
});

test('without a host, it is the legacy secret of the project', async () => {
  answer({ ...SECRET, host: null, signingAlong: [] });
  expect((await session.run('signing-secret show')).stdout).toMatch(/^host +all \(legacy\)\n/);
  expect(session.requests).toEqual(['GET /v1/signing-secret']);
});

test.each([
  ['signing-secret rotate --host a.example', SECRET],
  ['signing-secret end-legacy --yes', { legacy: false }],
])('%s', async (command, body) => {
  answer(body);
  expect(await session.json(command)).toEqual(body);
  expect(session.requests).toEqual(['POST /v1/signing-secret/rotate']);
});

test('a host that is none is an error of the API', async () => {
  expect(await session.run('signing-secret show --host https://a.example/')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('host "https://a.example/" must be a host'),
  });
});
