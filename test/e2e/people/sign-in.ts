import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { decodeJwt } from 'jose';

import { clientCredentials, Quarterjack } from '../../../client';
import type { RunningSystem } from '../../support/local-run';

const CHECKOUT_DIR = resolve(__dirname, '../../..');

let run: RunningSystem;
let home: string;
const config = () => join(home, '.config/quarterjack/config.json');

/** A command line as a process of its own, without a browser. */
function cli(...args: string[]) {
  const child = spawn(process.execPath, [join(CHECKOUT_DIR, 'cli/bin.cjs'), ...args], {
    env: { PATH: '/nowhere', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let shown = '';
  /** The URL of the sign-in page that the command prints. */
  const pageUrl = new Promise<string>((resolve) =>
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
      const url = /Open in a browser: (\S+)\n/.exec(shown)?.[1];
      if (url) resolve(url);
    }),
  );
  const stdout = text(child.stdout);
  const exitCode = once(child, 'close').then(([code]) => code as number);
  const ended = async () => ({ exitCode: await exitCode, stdout: await stdout, stderr: shown });
  return { ended, pageUrl };
}

/** Claims of the token that a profile keeps. */
function claimsOf(profile: string) {
  const { profiles } = JSON.parse(readFileSync(config(), 'utf8')) as {
    profiles: Record<string, { token: string }>;
  };
  return decodeJwt(profiles[profile]!.token);
}

const submit = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams([...Object.entries(form), ['scope', 'jobs:read'], ['scope', 'jobs:write']]),
  });

/** Sign-ins of people and programs. No other tests may make jobs of `alice` before them. */
export function describeSignIn(given: () => RunningSystem): void {
  describe('sign-in', () => {
    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'quarterjack-sign-in-'));
      run = given();
    });

    afterAll(async () => {
      rmSync(home, { recursive: true });
    });

    test('login signs in with a browser, and the next commands use and renew its tokens', async () => {
      const login = cli('login', '--url', run.url, '--profile', 'local');
      const url = await login.pageUrl;
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('Sign in to the local run'),
      ]);

      const alice = { user: 'alice', code: run.signInCode };
      expect((await submit(url, { ...alice, code: 'guessed1' })).status).toBe(400);
      expect((await submit(url, alice, { origin: 'http://evil.example' })).status).toBe(403);
      const answer = await submit(url, alice);
      const back = answer.headers.get('location')!;
      expect(back).toMatch(/^http:\/\/localhost:87(88|89|90)\/callback\?code=/);
      expect((await fetch(back)).status).toBe(200);
      expect(await login.ended()).toMatchObject({
        exitCode: 0,
        stdout: `Signed in to ${run.url} as profile local.\n`,
        stderr: expect.stringContaining(`Token of https://issuer.quarterjack.local for ${run.url}`) as string,
      });
      expect(statSync(config()).mode & 0o777).toBe(0o600);
      expect(await cli('jobs', 'list').ended()).toMatchObject({ exitCode: 0, stdout: 'No jobs.\n' });
      // No other run accepts the token.
      expect(claimsOf('local').aud).toBe(run.url);
      // A code is good once.
      const replayed = await fetch(`${run.url}/_local/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'local',
          code: new URL(back).searchParams.get('code')!,
          redirect_uri: back.split('?')[0]!,
          code_verifier: 'x'.repeat(43),
        }),
      });
      expect(replayed.status).toBe(400);
    });

    test('a browser that returns with the state of another sign-in is ignored', async () => {
      const login = cli('login', '--url', run.url, '--profile', 'other', '--no-browser');
      const url = await login.pageUrl;
      const forged = new URL(url);
      forged.searchParams.set('state', 'of-another');
      const as = async (user: string, page: string) => {
        const answer = await submit(page, { user, code: run.signInCode });
        return (await fetch(answer.headers.get('location')!)).status;
      };
      expect(await as('mallory', forged.href)).toBe(404);
      expect(await as('alice', url)).toBe(200);
      expect((await login.ended()).exitCode).toBe(0);
      expect(claimsOf('other')).toMatchObject({ sub: 'alice', scope: 'jobs:read jobs:write' });
    });

    test('a program of the configuration gets tokens of its project, with the code of the run as its secret', async () => {
      const ask = (client_secret: string) =>
        fetch(`${run.url}/_local/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'ci', client_secret }),
        });
      for (const guess of ['guessed1', 'ä'.repeat(run.signInCode.length)])
        expect((await ask(guess)).status).toBe(401);
      const token = clientCredentials({
        tokenEndpoint: `${run.url}/_local/token`,
        clientId: 'ci',
        clientSecret: run.signInCode,
      });
      const me = await new Quarterjack({ url: run.url, token }).me();
      expect(me.projects).toEqual([{ name: 'ci', role: 'editor' }]);

      // So does a token of the checkout, which acts as the program.
      const own = await run.token('ci', 'jobs:read jobs:write', { claims: { client_id: 'ci' } });
      const mine = await new Quarterjack({ url: run.url, token: own }).me();
      expect(mine).toMatchObject({ projects: [{ name: 'ci', role: 'editor' }] });
      // A person's token that names the client has the person's project.
      const person = await run.token('alice', 'jobs:read', { claims: { client_id: 'ci' } });
      expect((await new Quarterjack({ url: run.url, token: person }).me()).projects).toEqual([
        { name: 'alice', role: 'owner' },
      ]);
    });
  });
}
