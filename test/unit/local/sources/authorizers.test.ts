import { generateKeyPairSync } from 'node:crypto';

import { importJWK, type CryptoKey } from 'jose';

import { LOCAL_AUDIENCE, LOCAL_ISSUER } from '../../../../local/issuer/issuer';
import { authorizersOf } from '../../../../local/sources/authorizers';
import type { RouteSpec } from '../../../../local/template/stack';

const route = (issuer?: string): RouteSpec => ({
  routeKey: 'GET /',
  functionArn: 'arn:f',
  timeoutMs: 1,
  authorizer: issuer === undefined ? undefined : { issuer, audience: [LOCAL_AUDIENCE] },
  scopes: [],
});

test('routes of one issuer share an authorizer; the local issuer replaces any other and says so once', async () => {
  const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  const key = { kid: 'k', publicKey: (await importJWK(jwk, 'RS256')) as CryptoKey };
  const lines: string[] = [];
  const routes = [
    route(LOCAL_ISSUER),
    route('https://login.example.com'),
    route('https://login.example.com'),
    route(),
  ];
  const authorizerOf = authorizersOf(routes, {
    key,
    clock: { nowMs: () => 0 },
    out: (line) => void lines.push(line),
  });
  expect(authorizerOf(routes[1]!)).toBe(authorizerOf(routes[2]!));
  expect(authorizerOf(routes[0]!)).not.toBe(authorizerOf(routes[1]!));
  expect(lines).toEqual([`tokens of ${LOCAL_ISSUER} replace those of https://login.example.com`]);
  expect(() => authorizerOf(routes[3]!)).toThrow('the route has no authorizer');
});
