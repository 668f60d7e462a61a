import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { JOB_RESOURCE } from '../../lambdas/core/contracts/custom-resources';
import type { ProjectCall } from '../../lambdas/provider/project-api';
import { provide } from '../../lambdas/provider/provide';
import type { StackEvent } from '../../lambdas/provider/stack-event';
import { type Delivery, FenceGuard, Quarterjack, verifyDelivery } from '../../client';
import { apiCaller } from '../support/api-caller';
import type { Report } from '../../scripts/accept/report/report';
import { RecordingLog } from '../support/recording-log';
import { type RunningSystem, startSystem } from '../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback-server';

const CHECKOUT_DIR = resolve(__dirname, '../..');

let run: RunningSystem;
let receiver: LoopbackServer;
let hook: string;
let token: string;
let client: Quarterjack;
let home: string;
const deliveries: Delivery[] = [];

/** A target as a user would write it. It rejects unsigned requests and attempts with a stale fence. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'quarterjack-tools-'));
  run = await startSystem('--port', '0', '--ephemeral');
  token = await run.token('alice', 'jobs:read jobs:write work');
  client = new Quarterjack({ url: run.url, token: () => token });
  let secret = '';
  const guard = new FenceGuard();
  receiver = await listenOnLoopback((request, response) => {
    void text(request).then(async (body) => {
      const delivery = verifyDelivery(body, request.headers, { secret });
      await guard.admit(delivery);
      deliveries.push(delivery);
      response.writeHead(delivery.jobId === 'flaky' && delivery.attempt === 1 ? 503 : 200).end('thanks');
    });
  });
  hook = receiver.url;
  ({ secret } = await client.signingSecret({ host: new URL(hook).host }));
});

afterAll(async () => {
  await run?.end();
  receiver?.stop();
  rmSync(home, { recursive: true });
});

/** The command line as a process of its own. */
const cli = (...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH, HOME: home, QUARTERJACK_URL: run.url, QUARTERJACK_TOKEN: token };
    const child = execFile(
      process.execPath,
      [join(CHECKOUT_DIR, 'cli/bin.cjs'), ...args],
      { env, timeout: 60_000 },
      (_error, stdout, stderr) => done({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });

test('a job made by the client arrives signed, in order of its attempts, and its end is waited for', async () => {
  const retry = { maxAttempts: 2, initialDelay: '1s' };
  await client.jobs.create({
    jobId: 'flaky',
    schedule: { type: 'delay', delay: '1s' },
    target: { type: 'http', url: hook },
    payload: { text: 'Grüße' },
    retry,
  });
  const [planned] = await client.executions.list('flaky').toArray();
  const ended = await client.executions.wait('flaky', planned!.execId, { timeoutMs: 30_000 });
  expect(ended).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'retriable' }, { outcome: 'succeeded' }],
  });
  const seen = deliveries.filter(({ jobId }) => jobId === 'flaky');
  expect(seen.map(({ attempt, id, dueAt }) => ({ attempt, id, dueAt: dueAt.toISOString() }))).toEqual([
    { attempt: 1, id: seen[0]?.id, dueAt: planned!.dueAt },
    { attempt: 2, id: seen[0]?.id, dueAt: planned!.dueAt },
  ]);
  expect(seen[1]!.fence).toBeGreaterThan(seen[0]!.fence);
  expect(seen[0]!.json()).toEqual({ text: 'Grüße' });
});

test('a job made on the command line is followed there', async () => {
  const created = await cli('jobs', 'create', 'ticking', '--schedule', 'every 2s', '--http', hook, '--json');
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  const followed = await cli('executions', 'tail', 'ticking', '--once', '--interval', '200ms');
  expect(followed.exitCode).toBe(0);
  // Beside the one that ended, the next one may have begun in the same poll.
  expect(followed.stdout).toMatch(/ succeeded .*ms late$/m);
  expect(deliveries.map(({ jobId }) => jobId)).toContain('ticking');

  expect(await cli('jobs', 'run', 'ticking', '--wait')).toMatchObject({ exitCode: 0 });
  expect(await cli('jobs', 'delete', 'ticking', '--yes')).toMatchObject({
    exitCode: 0,
    stdout: 'ticking deleted\n',
  });
  expect(await cli('jobs', 'get', 'ticking')).toMatchObject({ exitCode: 5, stdout: '' });
});

test('a job of a CloudFormation stack is as the stack defines it', async () => {
  const call = apiCaller(run.url, token);
  const paths = {
    createJob: 'POST /v1/jobs',
    putJob: 'PUT /v1/jobs/ours',
    deleteJob: 'DELETE /v1/jobs/ours',
  };
  const deps = {
    api: (_project: string, { operation, body }: ProjectCall) => {
      const [method, path] = paths[operation as keyof typeof paths].split(' ') as [string, string];
      return call(method, path, body);
    },
    putSecret: () => Promise.reject(new Error('no key is made')),
    readManifest: () => Promise.reject(new Error('there is none')),
    clock: { nowMs: () => Date.now(), sleep: () => Promise.resolve() },
    log: new RecordingLog(),
  };
  const send = (RequestType: StackEvent['RequestType'], every: string) =>
    provide(
      {
        ...{
          RequestType,
          ResourceType: JOB_RESOURCE,
          ResponseURL: '',
          StackId: 's',
          LogicalResourceId: 'Ours',
        },
        ...{ RequestId: every, PhysicalResourceId: RequestType === 'Create' ? undefined : 'alice/ours' },
        ResourceProperties: {
          ...{ Project: 'alice', JobId: 'ours' },
          Definition: JSON.stringify({
            schedule: { type: 'interval', every },
            target: { type: 'http', url: hook },
          }),
        },
      },
      deps,
    );
  const everyOf = async () => ((await client.jobs.get('ours')).schedule as { every: string }).every;
  expect(await send('Create', '1h')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'alice/ours' });
  expect(await send('Update', '2h')).toMatchObject({ Status: 'SUCCESS' });
  expect(await everyOf()).toBe('2h');
  expect((await send('Update', '0s')).Reason).toMatch(/^the API answered 400: /);
  expect(await send('Update', '1h')).toMatchObject({ Status: 'SUCCESS' }); // the rollback
  expect(await everyOf()).toBe('1h');
  expect(await send('Delete', '1h')).toMatchObject({ Status: 'SUCCESS' });
  await expect(client.jobs.get('ours')).rejects.toThrow('no such job');
});

test('a command is run for what is due in a work queue, and its output is the log', async () => {
  const target = { type: 'worker', queue: 'tools' } as const;
  await client.jobs.create({ jobId: 'load', schedule: { type: 'none' }, target, payload: { rows: 7 } });
  const { execId } = await client.jobs.run('load');
  // The run is offered when its executor has the message.
  for (;;) {
    const { exitCode, stderr } = await cli('work', '--queue', 'tools', '--once', '--', 'cat');
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    const { status } = await client.executions.get('load', execId);
    if (status === 'succeeded') break;
    expect(status).toBe('queued');
  }
  const { stdout } = await cli('executions', 'log', 'load', execId);
  expect(stdout).toContain('{"rows":7}');
});

test('a pipe that is closed early is no error', async () => {
  const { exitCode, stderr } = await new Promise<{ exitCode: number | null; stderr: string }>((done) => {
    const command = `"${process.execPath}" "${join(CHECKOUT_DIR, 'cli/bin.cjs')}" completion bash | head -1; exit "\${PIPESTATUS[0]}"`;
    const child = execFile('bash', ['-c', command], (_error, _stdout, said) =>
      done({ exitCode: child.exitCode, stderr: said }),
    );
  });
  expect([exitCode, stderr]).toEqual([0, '']);
});

test('npm run accept finds no broken promise, and passes nothing that only AWS has', async () => {
  const report = join(home, 'report');
  const idToken = await run.token('alice', 'openid');
  const flags = ['--url', run.url, '--token', token, '--id-token', idToken, '--disturb', '--report', report];
  const { code, stdout } = await new Promise<{ code: number | null; stdout: string }>((done) => {
    const args = ['--import', 'tsx', 'scripts/accept/cli.ts', ...flags];
    const child = execFile(process.execPath, args, { cwd: CHECKOUT_DIR }, (_error, said) =>
      done({ code: child.exitCode, stdout: said }),
    );
  });
  expect(stdout).not.toContain('FAIL');
  expect(code).toBe(0);
  const file = readdirSync(report).find((name) => name.endsWith('.json'));
  const { results, leftBehind } = JSON.parse(readFileSync(join(report, file!), 'utf8')) as Report;
  expect(leftBehind).toEqual([]);
  expect(results.flatMap(({ check, outcome }) => (outcome === 'passed' ? [check] : []))).toEqual([
    ...['health', 'tables', 'tick', 'running', 'shards', 'cursors'].map((name) => `as-designed/${name}`),
    ...['no-token', 'bad-token', 'id-token', 'token', 'operator'].map((name) => `front-door/${name}`),
    'substrate/delays',
    ...['one-time', 'intervals', 'bursts'].map((name) => `delivery/${name}`),
    ...['retry', 'fatal', 'async', 'late-report', 'ordering'].map((name) => `history/${name}`),
    ...['redrive', 'stop-start'].map((name) => `history/${name}`),
    ...['metrics', 'events', 'errors'].map((name) => `watching/${name}`),
  ]);
  expect(results.every(({ outcome }) => outcome === 'passed' || outcome === 'not applicable')).toBe(true);
});
