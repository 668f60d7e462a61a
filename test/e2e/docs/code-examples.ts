import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { buildSync } from 'esbuild';

import { Quarterjack } from '../../../client';
import type { RunningSystem } from '../../support/local-run';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const EXAMPLES_DIR = join(CHECKOUT_DIR, 'examples/jobs-in-code');
const HERE = '127.0.0.1';

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createSocketServer().listen(0, HERE, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** One module of jobs, served in each way that needs no AWS: registered, started, and with a typed result. */
export function describeCodeExamples(given: () => RunningSystem): void {
  describe('jobs in code', () => {
    let dir: string;
    let client: Quarterjack;
    let env: Record<string, string>;
    const children: ChildProcess[] = [];
    beforeAll(async () => {
      const { url, token } = given();
      dir = mkdtempSync(join(tmpdir(), 'quarterjack-code-examples-'));
      const text = await token('code-examples', 'jobs:read jobs:write project:admin work');
      client = new Quarterjack({ url, token: text });
      env = { ...process.env, NODE_OPTIONS: '', QUARTERJACK_URL: url, QUARTERJACK_TOKEN: text } as typeof env;
    });
    afterEach(async () => {
      for (const child of children.splice(0)) {
        const ended = new Promise((done) => child.once('exit', done));
        if (child.exitCode === null && child.kill()) await ended;
      }
    });
    afterAll(() => rmSync(dir, { recursive: true }));

    /** The program as CommonJS, with the package and its framework. */
    function bundled(file: string): string {
      const outfile = join(dir, `${file}.cjs`);
      buildSync({
        entryPoints: [join(EXAMPLES_DIR, file)],
        alias: { 'quarterjack/jobs': join(CHECKOUT_DIR, 'client/jobs-in-code/index.ts') },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        logLevel: 'error',
        outfile,
      });
      return outfile;
    }

    function start(file: string, more: Record<string, string>): void {
      children.push(spawn(process.execPath, [bundled(file)], { env: { ...env, ...more }, stdio: 'inherit' }));
    }

    async function deploy(prefix: string, ...flags: string[]): Promise<void> {
      const command = [
        'deploy',
        join(EXAMPLES_DIR, 'jobs.ts'),
        '--source',
        'shop',
        '--prefix',
        prefix,
        ...flags,
      ];
      await promisify(execFile)(process.execPath, [join(CHECKOUT_DIR, 'cli/bin.cjs'), ...command, '--yes'], {
        env,
        cwd: CHECKOUT_DIR,
      });
    }

    /** What a run of the reminder has returned, and what becomes of a payload that does not fit. */
    async function expectToRun(prefix: string): Promise<void> {
      const { jobs, executions } = client;
      const asked = await jobs.run(`${prefix}reminder`, { payload: { orderId: '42' }, key: 'unpaid-42' });
      const { status, result } = await executions.wait(asked.jobId, asked.execId, { timeoutMs: 60_000 });
      expect({ status, result: JSON.parse(result?.body ?? 'null') as unknown }).toEqual({
        status: 'succeeded',
        result: { reminded: '42' },
      });
      await expect(jobs.run(`${prefix}reminder`, { payload: { orderId: 42 } })).rejects.toThrow(/orderId/);
      expect(await jobs.get(`${prefix}clean-up`)).toMatchObject({
        schedule: { type: 'after', jobs: [`${prefix}nightly-report`] },
      });
    }

    const secretOf = async (port: number): Promise<string> =>
      (await client.signingSecret({ host: `${HERE}:${port}` })).secret;

    test('in Express', async () => {
      const port = await freePort();
      const prefix = 'express-';
      start('express.mjs', {
        PORT: String(port),
        QUARTERJACK_SECRET: await secretOf(port),
        QUARTERJACK_JOB_PREFIX: prefix,
      });
      await deploy(prefix, '--target', `http://${HERE}:${port}/jobs`);
      await expectToRun(prefix);
    });

    test('as a route of fetch', async () => {
      const prefix = 'route-';
      const server = createServer().listen(0, HERE);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      process.env.QUARTERJACK_SECRET = await secretOf(port);
      process.env.QUARTERJACK_JOB_PREFIX = prefix;
      const { POST } = require(bundled('route.ts')) as { POST(request: Request): Promise<Response> };
      delete process.env.QUARTERJACK_SECRET;
      delete process.env.QUARTERJACK_JOB_PREFIX;
      server.on('request', (request, response) => void answerBy(POST, request, response));
      await deploy(prefix, '--target', `http://${HERE}:${port}/jobs`);
      await expectToRun(prefix);
      server.close();
      server.closeAllConnections();
    });

    test('in a worker that asks for work', async () => {
      const prefix = 'worker-';
      await deploy(prefix, '--queue', 'shop-jobs');
      start('worker.ts', { QUEUE: 'shop-jobs', QUARTERJACK_JOB_PREFIX: prefix });
      await expectToRun(prefix);
    });
  });
}

/** As a framework gives a request to its route. */
async function answerBy(
  route: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = new Uint8Array(await buffer(request));
  const answer = await route(new Request('http://127.0.0.1/jobs', { method: 'POST', headers, body }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}
