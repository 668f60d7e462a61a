import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLocalJWKSet, jwtVerify } from 'jose';

import { LOCAL_AUDIENCE, LOCAL_ISSUER, openIssuer } from '../../../../local/issuer/issuer';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'quarterjack-issuer-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a token is valid for any later opening of the issuer, and has the requested claims', async () => {
  const nowMs = 1_800_000_000_000;
  const first = await openIssuer(directory);
  const groups = ['project:billing:editor'];
  const claims = { tenant: 'acme' };
  const token = await first.token({ user: 'alice', scope: 'jobs:read', groups, claims, ttlSec: 60, nowMs });
  const { keySet } = await openIssuer(directory);
  const { payload } = await jwtVerify(token, createLocalJWKSet(keySet), {
    issuer: LOCAL_ISSUER,
    audience: LOCAL_AUDIENCE,
    currentDate: new Date(nowMs),
  });
  expect(payload).toMatchObject({
    sub: 'alice',
    tenant: 'acme',
    'cognito:groups': groups,
    scope: 'jobs:read',
    iat: nowMs / 1000,
    exp: nowMs / 1000 + 60,
    jti: expect.any(String),
  });
});

test('concurrent first openings get the same key, which only its owner can read', async () => {
  const kids = (await Promise.all([1, 2, 3].map(() => openIssuer(directory)))).map(
    ({ keySet }) => keySet.keys[0]?.kid,
  );
  expect(new Set(kids).size).toBe(1);
  expect(kids[0]).toEqual(expect.any(String));
  expect(readdirSync(directory)).toEqual(['private-key.json']);
  expect(statSync(join(directory, 'private-key.json')).mode & 0o777).toBe(0o600);
});
