import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import type { UserFolder } from './user-folder';

interface Connection {
  url: string;
  consoleUrl: string;
  token: string;
  secret: string;
  target: object | null;
}

/** `empty` makes a folder without a package, `bin` is the command of an installed one. */
export const devSuite = (empty: () => UserFolder, bin: () => string): void =>
  describe('quarterjack dev in an empty folder', () => {
    let user: UserFolder;
    let child: ChildProcess;
    beforeEach(() => {
      user = empty();
      rmSync(join(user.dir, 'package.json'));
    });
    afterEach(() => {
      if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(user.dir, { recursive: true });
    });

    /** Its first line, as soon as it is printed. */
    async function start(...flags: string[]): Promise<Connection> {
      child = spawn(process.execPath, [bin(), 'dev', '--port', '0', '--json', ...flags], {
        cwd: user.dir,
        // Nothing of the checkout, and no program but Node.js.
        env: { PATH: '', HOME: user.dir },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const [line] = (await Promise.race([
        once(createInterface(child.stdout!), 'line'),
        once(child, 'exit').then(() => Promise.reject(new Error(said))),
      ])) as [string];
      return JSON.parse(line) as Connection;
    }

    async function stop(signal: NodeJS.Signals): Promise<unknown> {
      const exited = once(child, 'exit');
      child.kill(signal);
      return (await exited)[0];
    }

    /** Its data stay in the folder `data`, and another run can have them. */
    async function expectEnd(signal: NodeJS.Signals, url: string, data: string): Promise<void> {
      expect(await stop(signal)).toBe(0);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
      expect(readdirSync(join(user.dir, data))).not.toContain('lock');
    }

    test('a job fires, with the token and the secret of the first line; SIGHUP ends it', async () => {
      const receiver = createServer().listen(0, '127.0.0.1');
      const called = once(receiver, 'request');
      await once(receiver, 'listening');
      const to = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
      const { url, consoleUrl, token, secret, target } = await start('--to', to);
      expect({ consoleUrl, secret, target }).toEqual({
        consoleUrl: expect.stringMatching(`^${url}/console/#run_code=`) as string,
        secret: expect.stringMatching(/^whsec_/) as string,
        target: { type: 'http', url: to },
      });
      const job = { jobId: 'hello', schedule: { type: 'delay', delay: '1s' }, target };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const created = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body: JSON.stringify(job) });
      expect(created.status).toBe(201);
      const [request, response] = (await called) as Parameters<Parameters<typeof createServer>[1] & object>;
      response.end();
      expect(request.headers['quarterjack-job']).toBe('hello');
      // What was printed is not needed: the command line makes a token of its own.
      const ownToken = user.run(process.execPath, bin(), 'token').trim();
      const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${ownToken}` } });
      expect(await me.json()).toMatchObject({ project: 'alice', role: 'owner' });
      const pages = ['/_local/', '/_local/dashboard.css', '/_local/uplot.mjs', '/console/'];
      for (const page of pages) expect((await fetch(url + page)).status).toBe(200);
      await expectEnd('SIGHUP', url, '.quarterjack/data');
      expect(readdirSync(user.dir)).toEqual(['.quarterjack']);
      expect(readFileSync(join(user.dir, '.quarterjack/.gitignore'), 'utf8')).toBe('*\n');
      receiver.close();
    });

    test('with --data, all of its state is there; SIGTERM ends it', async () => {
      const { url } = await start('--data', 'kept', '--executors', '3');
      const token = user.run(process.execPath, bin(), 'token', '--data', 'kept').trim();
      expect((await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        200,
      );
      expect(readdirSync(user.dir)).toEqual(['kept']);
      await expectEnd('SIGTERM', url, 'kept');
    });

    test('with a module, its jobs fire', async () => {
      const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
      const called = once(receiver, 'request');
      await once(receiver, 'listening');
      const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/from-job`;
      symlinkSync(resolve(bin(), '../../..'), join(user.dir, 'node_modules'));
      user.write(
        'jobs.cjs',
        `const { defineJob, every } = require('quarterjack/jobs');
exports.hello = defineJob({ id: 'hello', schedule: every('1s'), run: () => fetch('${hook}').then(() => 'sent') });`,
      );
      const { target } = await start('jobs.cjs');
      const [request] = (await called) as Parameters<Parameters<typeof createServer>[1] & object>;
      expect(request.url).toBe('/from-job');
      expect(target).toMatchObject({ type: 'http' });
      expect(await stop('SIGINT')).toBe(0);
      receiver.close();
      receiver.closeAllConnections();
    });

    test('it ends when the npm that has started it was killed', async () => {
      const npm = spawn(process.execPath, [
        '-e',
        `require('child_process').spawn(process.execPath, ${JSON.stringify([bin(), 'dev', '--port', '0', '--json'])},
          { cwd: ${JSON.stringify(realpathSync(user.dir))}, env: { npm_command: 'exec' }, stdio: ['ignore', 1, 'ignore'] });`,
      ]);
      child = npm;
      const lines = createInterface(npm.stdout);
      const closed = once(npm.stdout, 'close');
      const [line] = (await once(lines, 'line')) as [string];
      npm.kill('SIGKILL');
      await closed; // by the run, which has it too
      await expect(fetch((JSON.parse(line) as Connection).url)).rejects.toThrow('fetch failed');
    });
  });
