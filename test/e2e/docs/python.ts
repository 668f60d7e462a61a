import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { isTerminal, Quarterjack } from '../../../client';
import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { freePort } from './pasted';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const WORKER_EXAMPLE = join(CHECKOUT_DIR, 'examples/python-worker');
const PAGE = readFileSync(join(CHECKOUT_DIR, 'docs/python.md'), 'utf8');
const CLI = [process.execPath, join(CHECKOUT_DIR, 'cli/bin.cjs')] as const;
/** Ends what hangs, and is no bound: the first test makes some 120 calls one after the other. */
const TIMEOUT_MS = 900_000;

/** The code of the page that has this mark. */
const blockOf = (kind: string): string =>
  new RegExp(`<!-- tested: ${kind} -->\\s*\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(PAGE)![1]!;

/** A checkout needs nothing but Node.js. The name of a test that is not run says so. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const ifPython = hasPython ? test : test.skip;
const missing = hasPython ? '' : ' (not run: there is no python3 from 3.10 on)';

/**
 * What the page on Python says, and the example of a crontab, against a local run. Returns what adds the last
 * test, which belongs after all others: workers drain meanwhile.
 */
export function describePython(given: () => RunningSystem): () => void {
  let dir: string;
  const dirs: string[] = [];
  const children: ChildProcess[] = [];
  /** The exit codes of workers that drain. Each ends with its last claim, up to 20 s later. */
  const drains: Promise<number | null>[] = [];
  afterAll(() => {
    for (const child of children.filter(({ exitCode }) => exitCode === null)) child.kill('SIGKILL');
    for (const made of dirs) rmSync(made, { recursive: true });
  });

  describe('Python', () => {
    let env: Record<string, string>;
    let client: Quarterjack;

    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'quarterjack-python-'));
      dirs.push(dir);
      const { url } = given();
      const token = await given().token('python', 'jobs:read jobs:write work');
      client = new Quarterjack({ url, token });
      env = {
        ...{ PATH: process.env.PATH!, HOME: dir, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
        ...{ QUARTERJACK_URL: url, QUARTERJACK_TOKEN: token },
        PYTHONPATH: join(CHECKOUT_DIR, 'sdk/python/src'),
      };
    });

    const run = async (command: string, args: readonly string[], cwd = dir): Promise<string> =>
      (await promisify(execFile)(command, args, { cwd, env, timeout: TIMEOUT_MS })).stdout;

    /** Starts a program that works until SIGTERM. */
    function start(file: string, cwd = dir): ChildProcess {
      const child = spawn('python3', [file], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
      children.push(child);
      return child;
    }

    const drain = (child: ChildProcess): void => {
      drains.push(new Promise((done) => child.once('exit', done)));
      child.kill('SIGTERM');
    };

    const write = (file: string, kind: string) => writeFileSync(join(dir, file), blockOf(kind));

    /** The newest execution of a job that has ended: a planned one may be listed before it. */
    const endOf = async (jobId: string) => {
      const ended = await eventually(
        async () => (await client.executions.list(jobId).toArray(5)).filter(isTerminal),
        ({ length }) => length > 0,
        TIMEOUT_MS,
      );
      return ended[0]!;
    };

    const logOf = async (jobId: string, execId: string) =>
      (await client.executions.log(jobId, execId)).items.map(({ text }) => text);

    ifPython(
      `each call of the client reaches its route, and its answer is read${missing}`,
      async () => {
        const scope = 'jobs:read jobs:write project:admin work runs:approve admin';
        const QUARTERJACK_TOKEN = await given().token('python-calls', scope);
        const program = join(CHECKOUT_DIR, 'sdk/python/tests/every_call.py');
        const own = { env: { ...env, QUARTERJACK_TOKEN }, timeout: TIMEOUT_MS };
        expect((await promisify(execFile)('python3', [program], own)).stdout).toBe('left:\n');
      },
      TIMEOUT_MS,
    );

    ifPython(
      `the quick start: a client makes a job, and a worker does its work${missing}`,
      async () => {
        write('close.py', 'python-client');
        write('worker.py', 'python-worker');
        expect(await run('python3', ['close.py'])).toMatch(/^fires at \d{4}-/);
        const [job] = await client.jobs.list({ kind: 'worker' }).toArray();
        const worker = start('worker.py');
        const execution = await endOf(job!.jobId);
        expect(execution).toMatchObject({ status: 'succeeded', result: { body: '{"closed":42}' } });
        expect(await logOf(job!.jobId, execution.execId)).toEqual(['closing 42']);
        drain(worker);
      },
      TIMEOUT_MS,
    );

    ifPython(
      `jobs in code: defined, deployed, and run by a worker${missing}`,
      async () => {
        write('jobs.py', 'python-jobs');
        const commands = blockOf('bash').replaceAll('npx @quarterjack/cli', CLI.join(' '));
        const deploy = () => run('bash', ['-euc', commands]);
        expect(await deploy()).toMatch(/nightly-report/);
        const { payloadSchema, tags, target } = await client.jobs.get('nightly-report');
        expect(payloadSchema).toMatchObject({ properties: { region: { type: 'string' } } });
        expect([tags, target]).toMatchObject([{ 'quarterjack/source': 'shop' }, { queue: 'reports' }]);
        await expect(client.jobs.run('nightly-report', { payload: { region: 7 } })).rejects.toThrow('region');
        await client.jobs.run('nightly-report', { payload: { region: 'us' } });
        const worker = start('jobs.py');
        const execution = await endOf('nightly-report');
        expect(execution).toMatchObject({ status: 'succeeded', result: { body: '{"region":"us"}' } });
        expect(await logOf('nightly-report', execution.execId)).toEqual(['the report of us']);
        expect(await endOf('clean-up')).toMatchObject({ status: 'succeeded' });
        drain(worker);
        expect(await deploy()).toMatch(/unchanged|nothing|no change/i);
      },
      TIMEOUT_MS,
    );

    ifPython(
      `an app of WSGI gets signed deliveries, and refuses those for another host${missing}`,
      async () => {
        write('app.py', 'python-deliveries');
        const serve = 'import app, sys; from wsgiref.simple_server import make_server as make; ';
        const started = async (secret: string, port: number) => {
          const code = `${serve}make("127.0.0.1", ${port}, app.app).serve_forever()`;
          const own = { ...env, QUARTERJACK_SECRET: secret, PYTHONUNBUFFERED: '1' };
          const child = spawn('python3', ['-c', code], {
            cwd: dir,
            env: own,
            stdio: ['ignore', 'pipe', 'ignore'],
          });
          children.push(child);
          let said = '';
          child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
          const isUp = () =>
            fetch(`http://127.0.0.1:${port}/`).then(
              () => true,
              () => false,
            );
          await eventually(isUp, (up) => up);
          return () => said;
        };
        const delivered = async (jobId: string, port: number) => {
          const target = { type: 'http' as const, url: `http://127.0.0.1:${port}/` };
          const retry = { maxAttempts: 1 };
          await client.jobs.create({
            jobId,
            schedule: { type: 'none' },
            target,
            retry,
            payload: { to: 'Zoë' },
          });
          await client.jobs.run(jobId);
          return endOf(jobId);
        };
        const [port, other] = [await freePort(), await freePort()];
        const { secret } = await client.signingSecret({ host: `127.0.0.1:${port}` });
        const said = await started(`whsec_AAAA ${secret}`, port);
        await started(secret, other);
        expect(await delivered('genuine', port)).toMatchObject({ status: 'succeeded' });
        expect(said()).toContain("genuine {'to': 'Zoë'}");
        expect(await delivered('forged', other)).toMatchObject({ status: 'failed', reason: 'fatal' });
      },
      TIMEOUT_MS,
    );

    ifPython(
      `the example of a crontab: the same schedules, and a worker that runs the scripts${missing}`,
      async () => {
        const manifest = join(dir, 'host-1.json');
        const define = ['-m', 'quarterjack', 'define', 'jobs.py', '--source', 'host-1', '--out', manifest];
        await run('python3', define, WORKER_EXAMPLE);
        const defined = JSON.parse(readFileSync(manifest, 'utf8')) as Listed;
        const [node, cli] = CLI;
        const crontab = ['import', 'crontab', join(WORKER_EXAMPLE, 'crontab'), '--queue', 'host-1', '--json'];
        const imported = JSON.parse(await run(node, [cli, ...crontab])) as Listed;
        expect(schedulesOf(defined)).toEqual(schedulesOf(imported));
        await run(node, [cli, 'deploy', manifest, '--queue', 'host-1', '--yes']);
        await client.jobs.run('report', { payload: { region: 'us' } });
        await client.jobs.run('sync');
        const worker = start('jobs.py', WORKER_EXAMPLE);
        for (const [jobId, line] of Object.entries({ report: 'the report of us', sync: 'in sync' })) {
          const execution = await endOf(jobId);
          expect(execution).toMatchObject({ status: 'succeeded' });
          expect(await logOf(jobId, execution.execId)).toEqual([line]);
        }
        drain(worker);
      },
      TIMEOUT_MS,
    );
  });

  return () =>
    ifPython(`SIGTERM has ended each worker in Python in order${missing}`, async () => {
      expect(await Promise.all(drains)).toEqual(drains.map(() => 0));
    });
}

interface Listed {
  jobs: { definition: { schedule: { expression: string; timezone: string } } }[];
}

const schedulesOf = ({ jobs }: Listed): string[] =>
  jobs.map(({ definition: { schedule } }) => `${schedule.expression} ${schedule.timezone}`).toSorted();
