import { createHmac } from 'node:crypto';

import { issuerKeys } from '../../../lambdas/authorizer/issuer-keys';
import { verifyToken } from '../../../lambdas/authorizer/verify-token';
import { AUDIENCE, base64url, claimsOf, ISSUER, NOW_MS, NOW_SEC, testKey } from './tokens';

const rsa = testKey('rsa');
const ec = testKey('ec', 'ES256');
const foreign = testKey('rsa');
const clock = { nowMs: () => NOW_MS };
const keyOf = issuerKeys({ readKeySet: async () => ({ keys: [rsa.jwk, ec.jwk] }), clock });
const verify = (token: string) =>
  verifyToken(token, { issuer: ISSUER, audience: [AUDIENCE, 'second'], keyOf, clock });

const [VALID_HEADER = '', VALID_CLAIMS = '', VALID_SIGNATURE = ''] = rsa.token().split('.');
const hmac = (key: string) => {
  const signed = `${base64url({ alg: 'HS256', kid: 'rsa' })}.${base64url(claimsOf())}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};

describe('a token is accepted', () => {
  test.each([
    ['signed with RS256', rsa.token()],
    ['signed with ES256', ec.token()],
    ['of type at+jwt', rsa.token({}, { typ: 'at+JWT' })],
    ['for one of several audiences', rsa.token({ aud: ['x', 'second'] })],
    ['with a client_id in place of the audience', rsa.token({ aud: undefined, client_id: AUDIENCE })],
    ['that says that it is an access token', rsa.token({ token_use: 'access' })],
    ['of an issuer whose clock is a little ahead', rsa.token({ iat: NOW_SEC + 5, nbf: NOW_SEC + 5 })],
  ])('%s', async (_, token) => {
    expect(await verify(token)).toMatchObject({ claims: { sub: 'alice' } });
  });
});

describe('a token is rejected, and its answer does not say why', () => {
  test.each([
    ['with alg none', `${base64url({ alg: 'none', kid: 'rsa' })}.${VALID_CLAIMS}.`],
    ['with HS256 and the public key as secret', hmac(rsa.publicPem)],
    ['with HS256 and the JWK as secret', hmac(JSON.stringify(rsa.jwk))],
    ['with RS256 and a key for ES256', rsa.token({}, { kid: 'ec' })],
    ['with ES256 and a key for RS256', ec.token({}, { kid: 'rsa' })],
    ['with another algorithm', rsa.token({}, { alg: 'PS256' })],
    ['of a foreign key with a known kid', foreign.token()],
    ['of a foreign key that it brings along', foreign.token({}, { jwk: foreign.jwk })],
    ['without a kid', rsa.token({}, { kid: undefined })],
    ['with a kid that is no text', rsa.token({}, { kid: ['rsa'] })],
    ['with an unknown kid', rsa.token({}, { kid: '../../dev/null' })],
    ['with critical extensions', rsa.token({}, { crit: ['exp'] })],
    ['of another type', rsa.token({}, { typ: 'logout+jwt' })],
    ['of another issuer', rsa.token({ iss: `${ISSUER}/` })],
    ['for another audience', rsa.token({ aud: 'quarterjack2' })],
    ['without an audience', rsa.token({ aud: undefined })],
    ['with an audience, and the right client_id', rsa.token({ aud: 'other', client_id: AUDIENCE })],
    ['without an expiry', rsa.token({ exp: undefined })],
    ['with an expiry that is a text', rsa.token({ exp: String(NOW_SEC + 60) })],
    ['that is not valid yet', rsa.token({ nbf: NOW_SEC + 60 })],
    ['that was issued in the future', rsa.token({ iat: NOW_SEC + 60 })],
    [
      'with other claims than were signed',
      `${VALID_HEADER}.${base64url(claimsOf({ sub: 'bob' }))}.${VALID_SIGNATURE}`,
    ],
    ['with a padded signature', `${rsa.token()}=`],
    ['in four parts', `${rsa.token()}.x`],
    ['that is empty', ''],
    ['that is no token', 'x.y.z'],
  ])('%s', async (_, token) => {
    expect(await verify(token)).toEqual({ problem: 'the token is not valid' });
  });

  test('with any other last character', async () => {
    const token = rsa.token();
    const others = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').filter(
      (one) => !token.endsWith(one),
    );
    for (const other of others)
      expect(await verify(token.slice(0, -1) + other)).toEqual({ problem: 'the token is not valid' });
  });
});

test('an expired token is named so, also within the difference that clocks may have', async () => {
  for (const exp of [NOW_SEC, NOW_SEC - 1, NOW_SEC - 3_600])
    expect(await verify(rsa.token({ exp }))).toEqual({ problem: 'the token has expired' });
});

test.each([{ token_use: 'id' }, { token_use: '' }, { typ: 'ID' }, { at_hash: 'x' }, { c_hash: 'x' }])(
  'an ID token is rejected: %j',
  async (claims) => {
    expect(await verify(rsa.token(claims))).toEqual({ problem: 'the token is not an access token' });
  },
);

test('without a key set, nothing is said about any token', async () => {
  const unavailable = issuerKeys({ readKeySet: () => Promise.reject(new Error('no answer')), clock });
  const rules = { issuer: ISSUER, audience: [AUDIENCE], keyOf: unavailable, clock };
  await expect(verifyToken(rsa.token(), rules)).rejects.toThrow('the keys of the issuer cannot be read');
});
