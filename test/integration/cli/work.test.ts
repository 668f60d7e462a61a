import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

import { isGroupAlive } from '../../../cli/work/process-group';
import { IS_DEEP } from '../../support/deep';
import { eventually } from '../../support/eventually';
import { ListeningWorkServer } from '../../support/listening-work-server';
import type { FakeExecution } from '../../support/work-server';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const TIMEOUT_MS = IS_DEEP ? 900_000 : 120_000;
/** How often each kind of worker is struck. */
const ROUNDS = IS_DEEP ? 7 : 1;
/** The command gets SIGTERM 3 s after the last heartbeat, and SIGKILL a second later. */
const SHORT_LEASE = { heartbeatTimeout: '6s' };

let dir: string;
let program: string;
const servers: ListeningWorkServer[] = [];
const workers: ChildProcess[] = [];

/** The command line in one file: it starts faster than its sources do. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-work-test-'));
  program = join(dir, 'cli/quarterjack.cjs');
  copyFileSync(join(CHECKOUT_DIR, 'package.json'), join(dir, 'package.json'));
  buildSync({
    absWorkingDir: CHECKOUT_DIR,
    entryPoints: ['cli/start.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    outfile: program,
  });
}, TIMEOUT_MS);

afterAll(async () => {
  for (const worker of workers.filter(isRunning)) worker.kill('SIGKILL');
  await Promise.all(workers.map(ended));
  for (const server of servers) server.close();
  rmSync(dir, { recursive: true });
});

async function newServer(): Promise<ListeningWorkServer> {
  const server = new ListeningWorkServer();
  servers.push(server);
  await server.listen();
  return server;
}

function startWorker(server: ListeningWorkServer, ...args: string[]): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    QUARTERJACK_URL: server.url,
    QUARTERJACK_TOKEN: 'the-token',
    PID_DIR: dir,
  };
  const worker = spawn(process.execPath, [program, 'work', '--queue', 'q', '--grace', '1s', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  worker.stderr.on('data', () => undefined); // a pipe that no one reads would stop it
  workers.push(worker);
  return worker;
}

const says = (worker: ChildProcess, text: string): Promise<void> =>
  new Promise((done) =>
    (worker.stderr ?? worker.stdout)!.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(text)) done();
    }),
  );

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;
const ended = (worker: ChildProcess): Promise<number | null> =>
  isRunning(worker)
    ? new Promise((done) => worker.once('exit', (code) => done(code)))
    : Promise.resolve(worker.exitCode);

/** A command that writes the number of its group into a file, and ignores SIGTERM. */
const STUBBORN = [
  'sh',
  '-c',
  'trap "" TERM; echo $$ > "$PID_DIR/$QUARTERJACK_JOB_ID"; sleep 1000 & wait; wait',
];
const groupOf = (jobId: string): Promise<number> =>
  eventually(
    () => Number(existsSync(join(dir, jobId)) ? readFileSync(join(dir, jobId), 'utf8') : 0),
    (group) => group > 0,
    60_000,
  );
const gone = (group: number) =>
  eventually(
    () => isGroupAlive(group),
    (isAlive) => !isAlive,
    60_000,
  );
const textOf = ({ chunks }: FakeExecution): string[] => chunks.flat().map(({ text }) => text);

test(
  'a worker copes with commands that fork, hide, write much or nothing, stop or never end',
  async () => {
    const server = await newServer();
    const offer = (command: string, more: object = {}) => server.offer({ payload: { command }, ...more });
    const forks = offer('sleep 1000 & echo $!; exit 0');
    // Its group is ended with it, so it ends once the other one has left the group.
    const hasLeft = 'read -r _ _ _ _ group _ < /proc/$!/stat && [ "$group" = $! ]';
    const escapes = offer(`setsid sleep 1000 & until ${hasLeft}; do sleep 0.02; done; echo $!; exit 0`);
    const ignores = offer('trap "" TERM; echo $$; while :; do sleep 1; done', { timeoutMs: 4_000 });
    const stops = offer('echo $$; kill -STOP $$', { timeoutMs: 4_000 });
    const binary = offer('head -c 200000 /dev/urandom');
    const much = offer(`yes '${'x'.repeat(99)}' | head -c ${IS_DEEP ? 104_857_600 : 10_485_760}`);
    const closes = offer('exec >&- 2>&-; sleep 1');
    const colours = offer(
      "printf '\\033[31mred\\033[0m\\r\\n\\303\\244'; printf 'last' > /dev/stderr; exit 75",
    );
    const streams = server.offer({ payload: { command: 'cat /dev/stdin > /dev/stdout', stdin: 'a\nb' } });
    const missing = offer('/no/such/program');
    const all = ['--exec-payload', '--allow', '[^]*', '--allow-shell', '--fatal-exit', '127'];
    const worker = startWorker(server, ...all, '--concurrency', '10', '--once');

    expect(await ended(worker)).toBe(0);
    const [hidden = '0'] = textOf(escapes);
    process.kill(Number(hidden), 'SIGKILL'); // it has left the group, so it was left alone
    const succeeded = { status: 'succeeded', lapses: 0 };
    for (const one of [forks, escapes, binary, much, closes, streams]) expect(one).toMatchObject(succeeded);
    for (const one of [ignores, stops])
      expect(one).toMatchObject({ status: 'failed', error: 'the attempt timed out', retriable: true });
    expect(missing).toMatchObject({ status: 'failed', retriable: false });
    expect(missing.error).toMatch(/^exit code 127: .*not found/);
    expect(colours).toMatchObject({ error: 'exit code 75: last', retriable: true });
    expect(textOf(colours).toSorted()).toEqual(['\u001b[31mred\u001b[0m', 'last', 'ä']);
    expect(textOf(streams)).toEqual(['a', 'b']);
    expect(textOf(binary).join('')).toContain('\uFFFD');
    expect(textOf(much).length).toBeGreaterThan(1_000);
    expect(() => process.kill(Number(textOf(forks)[0]), 0)).toThrow('ESRCH');
    for (const one of [ignores, stops]) expect(isGroupAlive(Number(textOf(one)[0]))).toBe(false);
  },
  TIMEOUT_MS,
);

/** Whether the command was alive when its lease lapsed, after something has struck its worker. */
async function aliveAtLapse(
  jobId: string,
  strike: (worker: ChildProcess, server: ListeningWorkServer) => unknown,
): Promise<boolean> {
  const server = await newServer();
  const lapsed = new Promise<boolean>((resolve) => {
    server.onLapse = () => resolve(isGroupAlive(Number(readFileSync(join(dir, jobId), 'utf8'))));
  });
  server.offer({ jobId, ...SHORT_LEASE });
  const worker = startWorker(server, '--', ...STUBBORN);
  const group = await groupOf(jobId);
  await eventually(
    () => server.requests.filter(({ path }) => path === '/v1/attempts/heartbeat').length,
    (count) => count > 0,
    60_000,
  );
  if (!isGroupAlive(group)) throw new Error('the command has ended too early');
  strike(worker, server);
  const isAlive = await lapsed;
  worker.kill('SIGKILL');
  await ended(worker);
  return isAlive;
}

test(
  'the command of a worker that is killed, frozen or cut off is dead before its lease lapses',
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const alive = await Promise.all([
        aliveAtLapse(`killed-${round}`, (worker) => worker.kill('SIGKILL')),
        aliveAtLapse(`frozen-${round}`, (worker) => worker.kill('SIGSTOP')),
        aliveAtLapse(`cut-off-${round}`, (_worker, server) => (server.isCut = true)),
      ]);
      expect([round, ...alive]).toEqual([round, false, false, false]);
    }
  },
  TIMEOUT_MS,
);

/** A program with a `Worker` whose first attempt never ends. It prints how each attempt goes. */
const NEVER_ENDING = `
import { Worker } from '${join(CHECKOUT_DIR, 'client/worker/index.ts')}';
const say = (text) => process.stdout.write(text + '\\n');
void new Worker({
  url: process.env.QUARTERJACK_URL, token: 'key', queue: 'q', graceMs: 1_000,
  onEvent: ({ type, outcome }) => type === 'ended' && say('ended ' + outcome),
  handler: ({ attempt }, { signal }) => {
    say('attempt ' + attempt);
    if (attempt > 1) return { attempt };
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  },
}).start();`;

function startLibrary(server: ListeningWorkServer, file: string): ChildProcess {
  const env = { PATH: process.env.PATH, QUARTERJACK_URL: server.url };
  const worker = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  workers.push(worker);
  return worker;
}

/** Strikes the first worker in its attempt, and lets a second one take over. */
async function takenOver(signal: 'SIGKILL' | 'SIGSTOP', file: string): Promise<ListeningWorkServer> {
  const server = await newServer();
  server.offer(SHORT_LEASE);
  const first = startLibrary(server, file);
  await says(first, 'attempt 1');
  first.kill(signal);
  const second = startLibrary(server, file);
  await says(second, 'ended succeeded');
  const late = signal === 'SIGSTOP' ? says(first, 'ended lost') : Promise.resolve();
  first.kill('SIGCONT');
  await late;
  for (const worker of [first, second]) worker.kill('SIGKILL');
  await Promise.all([first, second].map(ended));
  return server;
}

test(
  'the work of a library worker that is killed or frozen is taken over, and a late one reports nothing',
  async () => {
    const outfile = join(dir, 'library.cjs');
    buildSync({
      stdin: { contents: NEVER_ENDING, resolveDir: CHECKOUT_DIR, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      outfile,
    });
    const signals = ['SIGKILL', 'SIGSTOP'] as const;
    const struck = await Promise.all(signals.map((signal) => takenOver(signal, outfile)));
    for (const { executions, requests } of struck) {
      expect(executions).toMatchObject([{ status: 'succeeded', result: { attempt: 2 }, lapses: 1 }]);
      expect(requests.filter(({ path }) => path === '/v1/attempts/fail')).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

test(
  'the first signal waits for what runs; the second ends it, and it is reported as a failure',
  async () => {
    const server = await newServer();
    const execution = server.offer({ jobId: 'signalled', payload: { rows: 7 } });
    const worker = startWorker(server, '--', ...STUBBORN);
    const group = await groupOf('signalled');
    const drains = says(worker, 'No more claims');
    worker.kill('SIGTERM');
    await drains;
    const late = server.offer({ jobId: 'late' });
    expect(isGroupAlive(group)).toBe(true);
    worker.kill('SIGTERM');
    expect(await ended(worker)).toBe(0);
    await gone(group);
    expect(execution).toMatchObject({ status: 'failed', error: 'the worker was stopped', retriable: true });
    expect(late.status).toBe('waiting');
  },
  TIMEOUT_MS,
);

test(
  'the unit for systemd starts a worker, and does not restart one whose key is denied',
  async () => {
    const unit = readFileSync(join(CHECKOUT_DIR, 'examples/systemd/quarterjack-work.service'), 'utf8');
    const [, flags = ''] = /^ExecStart=\S+ work --queue \S+ (.*)$/m.exec(unit) ?? [];
    const server = await newServer();
    server.faults.push({ path: '/v1/work/claim', answer: Response.json({ status: 403 }, { status: 403 }) });
    const code = await ended(startWorker(server, ...flags.split(' ')));
    expect(/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ')).toContain(String(code));
    expect(unit).toMatch(/^KillMode=mixed$/m); // SIGTERM for the worker alone, which then waits
  },
  TIMEOUT_MS,
);

test(
  'a command gets the payload and the names of its execution, and no token',
  async () => {
    const server = await newServer();
    const execution = server.offer({ jobId: 'env', payload: { rows: 7 } });
    expect(await ended(startWorker(server, '--once', '--', 'sh', '-c', 'cat; env'))).toBe(0);
    const lines = textOf(execution);
    expect(lines[0]).toBe('{"rows":7}');
    const names = ['JOB_ID=env', 'EXEC_ID=20261201T020000.0', 'ATTEMPT=1', 'FENCE=1'];
    for (const name of names) expect(lines).toContain(`QUARTERJACK_${name}`);
    expect(lines).toContainEqual(expect.stringMatching(/^QUARTERJACK_DEADLINE=20.*Z$/));
    expect(lines.join()).not.toContain('the-token');
    expect(execution.status).toBe('succeeded');
  },
  TIMEOUT_MS,
);
