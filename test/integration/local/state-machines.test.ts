import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseScript } from '../../../local/services/step-functions/scripts';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { Needs } from '../../support/iam/needs';
import { errandRun, headersOf, WITHIN_MS } from '../../support/local/errand-run';
import { Host } from '../../support/local/host';
import { synthesizeWith } from '../../support/local/synthesize-with';

const MACHINES = 'arn:aws:states:us-east-1:000000000000:stateMachine:target-';
const EXECUTIONS = 'arn:aws:states:us-east-1:000000000000:execution:target-*:qj-*';
const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };

let assembly: string;
let dataDir: string;
let host: Host;
let headers: Record<string, string>;

async function start(): Promise<void> {
  host = await Host.start({ port: 0, dataDir, assembly, stateMachines: [parseScript('*=1h')] });
  headers = headersOf(host);
}

beforeAll(async () => {
  assembly = synthesizeWith({ allowedTargetArns: [`${MACHINES}*`] });
  dataDir = mkdtempSync(join(tmpdir(), 'state-machines-'));
  await start();
});

afterAll(async () => {
  await host?.stop();
  rmSync(assembly, { recursive: true });
  rmSync(dataDir, { recursive: true });
});

async function create(jobId: string, more: object = {}): Promise<void> {
  const body = JSON.stringify({
    jobId,
    schedule: { type: 'delay', delay: '1s' },
    target: { type: 'stepfunctions', stateMachineArn: `${MACHINES}${jobId}`, wait: true },
    payload: { of: jobId },
    retry: { maxAttempts: 2, initialDelay: '1s' },
    ...more,
  });
  const response = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([201, expect.anything()]);
}

const { read, until, untilWatched, untilEnded, started, press: pressArn } = errandRun(() => host);

const machinesOf = async (jobId: string) =>
  (await started<{ arn: string; of: string; status: string }>()).filter(({ of }) => of === `target-${jobId}`);

/** Presses a button of the execution that the job has started last. */
const press = async (jobId: string, act: string): Promise<void> =>
  pressArn((await machinesOf(jobId))[0]!.arn, act);

async function expectEnds(): Promise<void> {
  expect(await untilEnded('good')).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'succeeded' }],
    result: { body: '{"of":"good"}' },
  });
  expect(await untilEnded('bad')).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'retriable' }, { outcome: 'succeeded' }],
  });
  expect(await untilEnded('doubled')).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'succeeded' }],
  });
  expect(await untilEnded('lost')).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'succeeded' }],
  });
  expect(await untilEnded('stopped')).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  const late = await untilEnded('late');
  expect(late?.status).toBe('failed');
  // The kill of the run may have cost it an attempt.
  expect(late?.attempts.at(-1)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringContaining('timed out') as string,
  });
}

const JOBS = ['good', 'bad', 'stopped', 'lost', 'doubled'];

test(
  'what state machines do survives a kill of the run, and each job ends as its state machine ends',
  async () => {
    for (const jobId of JOBS) await create(jobId);
    await create('late', { timeout: '5s', retry: { maxAttempts: 1 } });
    await Promise.all(JOBS.map(untilWatched));
    await host.kill();
    await start();

    const { errand } = (await read('good'))!;
    expect(errand).toMatchObject({
      state: 'watched',
      id: expect.stringMatching(/:execution:target-good:qj-[0-9a-f]{6}-[0-9a-f]{40}-0$/),
      consoleUrl: expect.stringContaining('us-east-1.console.aws.amazon.com'),
    });

    await press('good', 'end well');
    await press('bad', 'end badly');
    await press('lost', 'lose the event');
    await press('lost', 'end well');
    await press('doubled', 'send it twice');
    await press('doubled', 'end well');
    const { execId } = (await read('stopped'))!;
    const cancel = await host.fetch(`/v1/jobs/stopped/executions/${execId}/cancel`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(cancel.status).toBe(202);

    const second = await until('bad', (seen) => seen.errand?.id?.endsWith('-1') === true);
    expect(second?.attempts).toMatchObject([
      { outcome: 'retriable', error: 'FAILED: StandIn: ended by hand' },
    ]);
    await press('bad', 'end well');

    await expectEnds();
    for (const jobId of [...JOBS, 'late']) {
      expect((await read(jobId))?.errand).toBeUndefined();
      const statuses = (await machinesOf(jobId)).map(({ status }) => status);
      expect([jobId, statuses]).toEqual([jobId, ENDED[jobId]]);
    }
  },
  2 * WITHIN_MS,
);

/** How the executions of each state machine have ended, the last one first. */
const ENDED: Record<string, string[]> = {
  good: ['SUCCEEDED'],
  bad: ['SUCCEEDED', 'FAILED'],
  stopped: ['ABORTED'],
  lost: ['SUCCEEDED'],
  doubled: ['SUCCEEDED'],
  late: ['ABORTED'],
};

const GRANTS = [
  `executor states:StartExecution ${MACHINES}*`,
  `watcher states:DescribeExecution ${EXECUTIONS}`,
  `watcher states:StopExecution ${EXECUTIONS}`,
];

test('each of these calls needs its own grant, and none was denied', async () => {
  const { policies } = readStack(readAssembly(assembly), AWS);
  const needs = new Needs(policies, (grant) => !GRANTS.includes(grant));
  expect(needs.grants).toEqual(expect.arrayContaining(GRANTS));
  needs.learn(await host.decisions());
  expect(needs.unneeded).toEqual([]);
  expect(host.errors).not.toContain('AccessDenied');
});
