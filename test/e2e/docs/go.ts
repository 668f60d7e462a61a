import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Quarterjack } from '../../../client';
import { eventually } from '../../support/eventually';
import { goProgram, withGo } from '../../support/go';
import type { RunningSystem } from '../../support/local-run';
import { runCommand } from '../../support/programs';

const PAGE = readFileSync(join(__dirname, '../../../docs/go.md'), 'utf8');
const codeOf = (kind: string): string =>
  new RegExp(`<!-- tested: ${kind} -->\\s*\`\`\`go\\n(.*?)\`\`\``, 's').exec(PAGE)![1]!;

/**
 * The programs of the page for Go, each with a project of its own. Returns what adds the last test, which
 * belongs after all others: workers drain meanwhile.
 */
export function describeGo(given: () => RunningSystem): () => void {
  const dirs: string[] = [];
  const children: ChildProcess[] = [];
  let target: Server | undefined;
  /** The exit codes of workers that drain. Each ends with its last claim, up to 20 s later. */
  const drains: Promise<number | null>[] = [];
  afterAll(async () => {
    for (const child of children) await ended(child, 'SIGKILL');
    for (const dir of dirs) rmSync(dir, { recursive: true });
    target?.close();
  });

  describe('the page for Go', () => {
    const build = async (code: string): Promise<string> => {
      const { dir, program } = await goProgram(code);
      dirs.push(dir);
      return program;
    };
    const envOf = async (user: string, scope?: string) => ({
      PATH: process.env.PATH,
      QUARTERJACK_URL: given().url,
      QUARTERJACK_TOKEN: await given().token(user, scope),
    });
    const start = (program: string, env: NodeJS.ProcessEnv): ChildProcess => {
      const child = spawn(program, { env, stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      return child;
    };
    const clientOf = ({
      QUARTERJACK_URL: url,
      QUARTERJACK_TOKEN: token,
    }: Awaited<ReturnType<typeof envOf>>) => new Quarterjack({ url, token });

    withGo('a first job', async () => {
      target = createServer((_request, response) => response.end('closed')).listen(0, '127.0.0.1');
      await new Promise((done) => target!.once('listening', done));
      const { port } = target.address() as AddressInfo;
      const program = await build(codeOf('go-client').replace('127.0.0.1:9000', `127.0.0.1:${port}`));
      const child = spawn(program, { env: await envOf('go-client'), stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await eventually(
        () => child.exitCode,
        (code) => code === 0,
        60_000,
      );
      expect(printed).toBe('manual succeeded\n');
    });

    withGo('a worker, which a signal ends', async () => {
      const env = await envOf('go-worker', 'jobs:read jobs:write work');
      const client = clientOf(env);
      const child = start(await build(codeOf('go-worker')), env);
      const runOf = async (jobId: string, payload: object) => {
        const target = { type: 'worker' as const, queue: 'warehouse' };
        await client.jobs.create({ jobId, schedule: { type: 'none' }, target, payload });
        const { execId } = await client.jobs.run(jobId);
        return client.executions.wait(jobId, execId, { timeoutMs: 60_000 });
      };
      const loaded = await runOf('load-orders', { table: 'orders' });
      expect(loaded).toMatchObject({ status: 'succeeded', result: { body: '{"rows":7}' } });
      const { items } = await client.executions.log('load-orders', loaded.execId);
      expect(items.map(({ text }) => text)).toEqual(['loading orders']);
      expect(await runOf('load-nothing', {})).toMatchObject({ status: 'failed', reason: 'fatal' });
      drains.push(ended(child, 'SIGTERM'));
    });

    withGo('jobs in code: deployed, and run by a worker and over HTTP', async () => {
      const env = await envOf('go-jobs', 'jobs:read jobs:write work');
      const client = clientOf(env);
      const program = await build(codeOf('go-jobs'));
      const manifest = execFileSync(program, ['-quarterjack-define'], { env: {}, encoding: 'utf8' });
      const file = join(dirs.at(-1)!, 'jobs.json');
      writeFileSync(file, manifest);
      const deploy = async (...flags: string[]) => {
        const { stdout, stderr } = await runCommand(['deploy', file, ...flags, '--yes'], env);
        return `${stdout}${stderr}`;
      };
      const run = async () => {
        const { execId } = await client.jobs.run('nightly-report');
        return client.executions.wait('nightly-report', execId, { timeoutMs: 60_000 });
      };
      expect(await deploy('--queue', 'go-jobs')).toMatch(/nightly-report/);
      expect(await client.jobs.get('nightly-report')).toMatchObject({
        schedule: { type: 'cron', expression: '30 2 * * MON-FRI', timezone: 'Europe/Berlin' },
        target: { type: 'worker', queue: 'go-jobs' },
        tags: { 'quarterjack/source': 'shop' },
        timeout: '10m',
      });
      expect(await client.jobs.get('clean-up')).toMatchObject({
        schedule: { type: 'after', jobs: ['nightly-report'] },
      });
      const worker = start(program, { ...env, QUARTERJACK_QUEUE: 'go-jobs' });
      const result = {
        body: expect.stringMatching(/^\{"day":"\d{4}-\d\d-\d\d","region":"eu"\}$/) as unknown,
      };
      expect(await run()).toMatchObject({ status: 'succeeded', result });
      drains.push(ended(worker, 'SIGTERM'));

      const port = await freePort();
      await deploy('--target', `http://127.0.0.1:${port}/jobs`);
      const { secret } = await client.signingSecret({ host: `127.0.0.1:${port}` });
      const server = start(program, { PORT: String(port), QUARTERJACK_SECRET: secret });
      await eventually(
        () => fetch(`http://127.0.0.1:${port}`).catch(() => undefined),
        (up) => up?.status === 401,
        30_000,
      );
      expect(await run()).toMatchObject({ status: 'succeeded', result: { ...result, statusCode: 200 } });
      expect(await ended(server, 'SIGTERM')).toBe(0);
      expect(await deploy('--target', `http://127.0.0.1:${port}/jobs`, '--dry-run')).toMatch(
        /no changes|unchanged/i,
      );
    });
  });

  return () =>
    withGo('SIGTERM has ended each worker in Go in order', async () => {
      expect(await Promise.all(drains)).toEqual(drains.map(() => 0));
    });
}

/** The exit code; null if a signal has ended it. */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = new Promise<number | null>((done) => child.once('exit', done));
  child.kill(signal);
  return exit;
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
