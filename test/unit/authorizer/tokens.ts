import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import type { JWK } from 'jose';

export const ISSUER = 'https://issuer.example.com';
export const AUDIENCE = 'quarterjack';
export const NOW_MS = 1_800_000_000_000;
export const NOW_SEC = NOW_MS / 1_000;

/** A key of an issuer, which signs what a test asks for, valid or not. */
export interface TestKey {
  kid: string;
  jwk: JWK;
  privateKey: KeyObject;
  publicPem: string;
  /** A token with this header and these claims, signed with the key whatever the header says. */
  token(claims?: object, header?: object): string;
}

export const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const claimsOf = (overrides: object = {}) => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'alice',
  scope: 'jobs:read',
  iat: NOW_SEC - 10,
  exp: NOW_SEC + 60,
  ...overrides,
});

export function testKey(kid: string, alg: 'RS256' | 'ES256' = 'RS256', modulusLength = 2048): TestKey {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey(privateKey);
  return {
    kid,
    privateKey,
    jwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid },
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    token(claims = {}, header = {}) {
      const signed = `${base64url({ alg, kid, ...header })}.${base64url(claimsOf(claims))}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}
