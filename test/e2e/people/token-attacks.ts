import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { JWK } from 'jose';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import type { RunningSystem } from '../../support/local-run';
import { attacksOf, forger } from '../access/attacks';
import { inTurns, raw } from '../access/requests';

let system: RunningSystem;
let forge: ReturnType<typeof forger>;

const list = (headers: string[], query = '') => raw(system.url, { path: `/v1/jobs${query}`, headers });
const bearer = (token: string) => ['Authorization', `Bearer ${token}`];

/** Attacks on tokens, none of which gets through. */
export function describeTokenAttacks(given: () => RunningSystem): void {
  describe('tokens', () => {
    beforeAll(async () => {
      system = given();
      const { keySet } = await openIssuer(ISSUER_DIR);
      const jwk = JSON.parse(readFileSync(join(ISSUER_DIR, 'private-key.json'), 'utf8')) as JWK;
      forge = forger(jwk, keySet.keys[0]!.kid!, Date.now());
    });

    test('the forged tokens differ from a valid one in what is wrong with them alone', async () => {
      const near = [{}, { header: { typ: undefined } }, { claims: { aud: ['x', 'quarterjack'] } }];
      const answers = await Promise.all(near.map((more) => list(bearer(forge.token(more)))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    test('no attack on a token gets through, and no answer tells more than that', async () => {
      const attacks = attacksOf(forge);
      expect(attacks.length).toBeGreaterThanOrEqual(165);
      const passed = await inTurns(attacks, async ({ name, headers, query }) => {
        const { status, body, challenge } = await list(headers, query);
        const isRefused = status === 401 && challenge?.startsWith('Bearer') === true;
        const isPlain =
          body?.message === 'Unauthorized' ||
          ['the token is not valid', 'the token has expired', 'the token is not an access token'].includes(
            body?.detail,
          );
        return isRefused && isPlain ? [] : [`${name}: ${status} ${JSON.stringify(body)}`];
      });
      expect(passed.flat()).toEqual([]);
    });

    test('a folded header is no token', async () => {
      const token = forge.token();
      const { hostname, port } = new URL(system.url);
      const socket = createConnection(Number(port), hostname);
      socket.end(
        `GET /v1/jobs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\nAuthorization: Bearer\r\n ${token}\r\n\r\n`,
      );
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[01] /);
    });

    test.each([
      [['alice'], 403],
      [['a\nb', 'c'], 403],
      [7, 403],
      [true, 403],
      [{ a: 1 }, 403],
      ['', 403],
      [undefined, 403],
      ['quarterjack-canary', 403],
      ['#usage', 403],
      ['x'.repeat(513), 403],
      ['a/b#c|d%2F\n', 200],
      ['Ａlice', 200],
      ['__proto__', 200],
    ])('the subject %j is answered with %i', async (sub, status) => {
      expect((await list(bearer(forge.token({ claims: { sub } })))).status).toBe(status);
    });

    test('groups and scopes of other forms are not the operator’s', async () => {
      const asOperator = async (claims: object) => {
        const headers = bearer(forge.token({ claims: { scope: 'jobs:read', ...claims } }));
        return (await raw(system.url, { path: '/v1/admin/status', headers })).status;
      };
      for (const groups of [
        ['x,admin'],
        ['x admin'],
        'admin',
        '[admin]',
        { admin: true },
        ['Admin'],
        ['administrators'],
      ])
        expect(await asOperator({ 'cognito:groups': groups })).toBe(403);
      for (const scope of ['administrator', 'Admin', 'quarterjack/Admin', 'x/admin', { admin: true }])
        expect(await asOperator({ scope })).toBe(403);
      expect(await asOperator({ 'cognito:groups': ['admin'] })).toBe(200);
    });
  });
}
