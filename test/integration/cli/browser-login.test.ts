import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { Profile } from '../../../cli/profiles';
import { Session } from '../../unit/cli/terminal-session';

const API = 'https://api.test';
const ISSUER = 'https://login.test';
const NO_ENV = { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '' };
const CALLBACK_URLS = [8788, 8789, 8790].map((port) => `http://localhost:${port}/callback`);

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const unsigned = (claims: object) =>
  ['{"alg":"RS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

/** The session's API takes any text as a token. This one names alice, and expires. */
const tokenFor = (expiresInSec: number) =>
  unsigned({ exp: Math.floor(session.world.clock.nowMs() / 1000) + expiresInSec });

/** What the API tells of its issuer. */
const tells = (endpoints: object = {}): Response =>
  Response.json({
    issuer: ISSUER,
    authorizationEndpoint: `${ISSUER}/authorize`,
    tokenEndpoint: `${ISSUER}/token`,
    clientId: 'cli',
    scopes: ['openid', 'jobs:read'],
    callbackUrls: CALLBACK_URLS,
    version: '1',
    ...endpoints,
  });

const login = (flags = '', options = {}) =>
  session.run(`login --url ${API} ${flags}`, { env: NO_ENV, ...options });
const profile = (): Profile => {
  const file = readFileSync(join(session.home, '.config/quarterjack/config.json'), 'utf8');
  return (JSON.parse(file) as { profiles: { default: Profile } }).profiles.default;
};

/** An issuer that checks PKCE, and a user who signs in. `change` alters what the browser returns with. */
function issuer({ iss = ISSUER, nonce = '', change = (_: URL) => undefined as void } = {}) {
  let asked = new URLSearchParams();
  session.openBrowser = (url) => {
    asked = new URL(url).searchParams;
    const back = new URL(asked.get('redirect_uri')!);
    back.search = new URLSearchParams({ code: 'code', state: asked.get('state')!, iss }).toString();
    change(back);
    void fetch(back);
    return Promise.resolve(true);
  };
  const forms: Record<string, string>[] = [];
  session.fetch = (url, { body }) => {
    expect(url).toBe(`${ISSUER}/token`);
    const form = Object.fromEntries(new URLSearchParams(body as URLSearchParams));
    forms.push(form);
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (form.code_verifier && challenge !== asked.get('code_challenge'))
      return Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }));
    const nowSec = Math.floor(Date.now() / 1000);
    const id = { iss: ISSUER, aud: 'cli', sub: 'alice', iat: nowSec, exp: nowSec + 60 };
    return Promise.resolve(
      Response.json({
        access_token: tokenFor(forms.length === 1 ? 10 : 3_600),
        refresh_token: `refresh-${forms.length}`,
        id_token: unsigned({ ...id, nonce: nonce || asked.get('nonce') }),
        token_type: 'Bearer',
      }),
    );
  };
  return forms;
}

test('the profile has tokens of the issuer, and a command renews one that is about to expire', async () => {
  const forms = issuer();
  session.instead.push(tells());
  const { exitCode, stdout, stderr } = await login();
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Signed in to ${API} as profile default.\n` });
  expect(stderr).toContain(`Token of ${ISSUER} for ${API}\n`);
  expect(forms).toMatchObject([{ grant_type: 'authorization_code', code: 'code', client_id: 'cli' }]);

  expect((await session.run('jobs list', { env: NO_ENV })).exitCode).toBe(0);
  expect(forms[1]).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh-1' });
  expect(profile()).toMatchObject({
    url: API,
    renewal: { issuer: ISSUER, tokenEndpoint: `${ISSUER}/token`, clientId: 'cli', refreshToken: 'refresh-2' },
  });
  await session.run('jobs list', { env: NO_ENV });
  expect(forms).toHaveLength(2);
});

test('a sign-in that the issuer ended names the way back', async () => {
  issuer();
  session.instead.push(tells());
  await login();
  session.fetch = () => Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }));
  expect(await session.run('jobs list', { env: NO_ENV })).toMatchObject({
    exitCode: 4,
    stderr: 'quarterjack: the sign-in has ended (invalid_grant); run quarterjack login again\n',
  });
});

test.each([
  ['the code of another issuer', { iss: 'https://evil.test' }],
  ['an ID token for another sign-in', { nonce: 'of-another' }],
  [
    'a refusal',
    {
      change: (back: URL) => {
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
      },
    },
  ],
])('%s is not signed in', async (_, how) => {
  issuer(how);
  session.instead.push(tells());
  expect(await login()).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('the sign-in failed: ') as string,
  });
  expect((await session.run('profiles --json', { env: NO_ENV })).stdout).toBe('[]\n');
});

describe('endpoints', () => {
  const evil = { tokenEndpoint: 'https://evil.test/token' };

  test.each([
    [{ authorizationEndpoint: 'http://login.test/authorize' }, 'expected an https URL'],
    [{ tokenEndpoint: 'javascript:alert(1)' }, 'expected an https URL'],
    [{ tokenEndpoint: '/token' }, 'are not known to belong to the issuer'],
    [evil, 'are not known to belong to the issuer'],
    [{ ...evil, issuer: 'no url' }, 'the issuer is not an https URL'],
  ])('%j: no browser opens', async (endpoints, message) => {
    issuer();
    const opened = jest.fn();
    session.openBrowser = opened;
    session.fetch = () => Promise.reject(new Error('unreachable'));
    session.instead.push(tells(endpoints));
    const { exitCode, stderr } = await login();
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
    expect(opened).not.toHaveBeenCalled();
  });

  const discovery = (tokenEndpoint: string) => {
    const tokens = session.fetch;
    session.fetch = (url, init) =>
      url === `${ISSUER}/.well-known/openid-configuration`
        ? Promise.resolve(
            Response.json({
              issuer: ISSUER,
              authorization_endpoint: `${ISSUER}/authorize`,
              token_endpoint: tokenEndpoint,
            }),
          )
        : tokens(`${ISSUER}/token`, init);
  };

  test('of another origin are used if the issuer names them, as Cognito does', async () => {
    issuer();
    discovery('https://sign-in.test/token');
    session.instead.push(tells({ tokenEndpoint: 'https://sign-in.test/token' }));
    expect((await login()).exitCode).toBe(0);
  });

  test('of another origin are refused if the issuer names others', async () => {
    issuer();
    discovery('https://sign-in.test/token');
    session.instead.push(tells(evil));
    expect((await login()).stderr).toContain('its discovery document names others');
  });
});

test('a new pair of issuer and API is asked for once', async () => {
  issuer();
  const questions: string[] = [];
  session.ask = (question) => {
    questions.push(question);
    return Promise.resolve(questions.length === 1 ? 'n' : 'y');
  };
  for (const exitCode of [1, 0, 0]) {
    session.instead.push(tells());
    expect(await login('', { isTTY: true })).toMatchObject({ exitCode });
  }
  expect(questions).toHaveLength(2);
});
