import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { exportSPKI, importJWK, type CryptoKey } from 'jose';

import { jwtAuthorizer, scopesOf } from '../../../../local/sources/jwt-authorizer';

const NOW_SEC = 1_800_000_000;
const CLAIMS = { iss: 'https://issuer', aud: 'us', sub: 'alice', iat: NOW_SEC - 1, exp: NOW_SEC + 60 };
const HEADER = { alg: 'RS256', kid: 'ours', typ: 'JWT' };

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
let publicKey: CryptoKey;
beforeAll(async () => {
  publicKey = (await importJWK(ours.publicKey.export({ format: 'jwk' }), 'RS256')) as CryptoKey;
});

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
function token(claims: object = CLAIMS, header: object = HEADER, key: KeyObject = ours.privateKey): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}
const authorize = (authorization: string | undefined, audience = ['us', 'them']) =>
  jwtAuthorizer({
    issuer: 'https://issuer',
    audience,
    key: { kid: 'ours', publicKey },
    clock: { nowMs: () => NOW_SEC * 1000 },
  })(authorization);

test.each([
  ['Bearer', () => `Bearer ${token()}`],
  ['bearer', () => `bearer ${token()}`],
  ['no scheme, which API Gateway also accepts', () => token()],
  ['several audiences', () => token({ ...CLAIMS, aud: ['other', 'us'] })],
  ['client_id instead of aud', () => token({ ...CLAIMS, aud: undefined, client_id: 'us' })],
  ['nbf in the past', () => token({ ...CLAIMS, nbf: NOW_SEC })],
])('accepted: %s', async (_, authorization) => {
  expect(await authorize(authorization())).toMatchObject({ sub: 'alice' });
});

test.each([
  ['nothing', () => undefined],
  ['an empty header', () => ''],
  ['another scheme', () => `Basic ${token()}`],
  ['no token', () => 'Bearer '],
  ['a malformed token', () => 'Bearer a.b.c'],
  ['expired', () => token({ ...CLAIMS, exp: NOW_SEC })],
  ['no exp', () => token({ ...CLAIMS, exp: undefined })],
  ['exp as a string', () => token({ ...CLAIMS, exp: String(NOW_SEC + 60) })],
  ['nbf in the future', () => token({ ...CLAIMS, nbf: NOW_SEC + 1 })],
  ['iat in the future', () => token({ ...CLAIMS, iat: NOW_SEC + 1 })],
  ['another issuer', () => token({ ...CLAIMS, iss: 'https://issuer/' })],
  ['no issuer', () => token({ ...CLAIMS, iss: undefined })],
  ['another audience', () => token({ ...CLAIMS, aud: 'me' })],
  ['no audience', () => token({ ...CLAIMS, aud: undefined })],
  ['client_id together with another aud', () => token({ ...CLAIMS, aud: 'me', client_id: 'us' })],
  ['alg none', () => `${encode({ ...HEADER, alg: 'none' })}.${encode(CLAIMS)}.`],
  ['alg none with a signature', () => token(CLAIMS, { ...HEADER, alg: 'none' })],
  ['another RSA algorithm', () => token(CLAIMS, { ...HEADER, alg: 'RS512' })],
  ['no kid', () => token(CLAIMS, { ...HEADER, kid: undefined })],
  ['another kid', () => token(CLAIMS, { ...HEADER, kid: '../../dev/null' })],
  [
    'a key in the header of the token',
    () => {
      const jwk = theirs.publicKey.export({ format: 'jwk' });
      return token(CLAIMS, { ...HEADER, jwk, jku: 'https://evil/jwks', x5c: ['x'] }, theirs.privateKey);
    },
  ],
  ['a signature by another key', () => token(CLAIMS, HEADER, theirs.privateKey)],
  [
    'other claims under the same signature',
    () => {
      const [header, , signature] = token().split('.');
      return `${header}.${encode({ ...CLAIMS, sub: 'mallory' })}.${signature}`;
    },
  ],
  ['no signature part', () => token().split('.').slice(0, 2).join('.')],
  ['an empty signature', () => `${token().split('.').slice(0, 2).join('.')}.`],
  ['a critical extension', () => token(CLAIMS, { ...HEADER, crit: ['b64'], b64: false })],
])('rejected: %s', async (_, authorization) => {
  const value = authorization();
  expect(await authorize(value)).toBeUndefined();
});

test.each(['none', 'None', 'nOnE', 'NONE'])('rejected: alg %s', async (alg) => {
  const unsigned = `${encode({ ...HEADER, alg })}.${encode(CLAIMS)}.`;
  expect(await authorize(`Bearer ${unsigned}`)).toBeUndefined();
  expect(await authorize(`Bearer ${unsigned}${token().split('.')[2]}`)).toBeUndefined();
});

test('rejected: any other last character of the signature, and any text after it', async () => {
  const good = token();
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    if (!good.endsWith(last)) expect(await authorize(`Bearer ${good.slice(0, -1)}${last}`)).toBeUndefined();
  for (const tail of ['=', '.', 'A', ' x', '\n', ',Bearer x'])
    expect(await authorize(`Bearer ${good}${tail}`)).toBeUndefined();
  expect(await authorize(`Bearer ${good}`)).toBeDefined();
});

test('rejected: an HMAC with the public key as its secret', async () => {
  const signed = `${encode({ ...HEADER, alg: 'HS256' })}.${encode(CLAIMS)}`;
  for (const secret of [
    await exportSPKI(publicKey),
    ours.publicKey.export({ format: 'der', type: 'spki' }),
  ]) {
    const signature = createHmac('sha256', secret).update(signed).digest('base64url');
    expect(await authorize(`Bearer ${signed}.${signature}`)).toBeUndefined();
  }
});

test('scopes come from scope or scp', () => {
  expect(scopesOf({ scope: 'a  b' })).toEqual(['a', 'b']);
  expect(scopesOf({ scp: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(scopesOf({})).toEqual([]);
});
