import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseTaskScript } from '../../../local/services/ecs/scripts';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { Needs } from '../../support/iam/needs';
import { errandRun, headersOf, WITHIN_MS } from '../../support/local/errand-run';
import { Host } from '../../support/local/host';
import { synthesizeWith } from '../../support/local/synthesize-with';

const HERE = 'arn:aws:ecs:us-east-1:000000000000';
const FAMILIES = `${HERE}:task-definition/target-`;
const CLUSTER = `${HERE}:cluster/target-jobs`;
const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };

interface Task {
  arn: string;
  of: string;
  status: string;
  cause?: string;
  input: string;
}

let assembly: string;
let dataDir: string;
let host: Host;
let headers: Record<string, string>;

async function start(): Promise<void> {
  const ecsTasks = ['*=1h', 'target-full=1h,no-room,exit-0'].map(parseTaskScript);
  host = await Host.start({ port: 0, dataDir, assembly, ecsTasks });
  headers = headersOf(host);
}

beforeAll(async () => {
  assembly = synthesizeWith({
    allowedTargetArns: [`${FAMILIES}*`, CLUSTER],
    errands: { ecs: { clusters: { [CLUSTER]: { launchType: 'FARGATE', subnets: ['subnet-0a1b2c3d'] } } } },
  });
  dataDir = mkdtempSync(join(tmpdir(), 'ecs-tasks-'));
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
    target: {
      type: 'ecs',
      taskDefinitionArn: `${FAMILIES}${jobId}`,
      clusterArn: CLUSTER,
      container: 'app',
      environment: { DAY: '{{ run.day }}' },
    },
    templates: true,
    payload: { of: jobId },
    retry: { maxAttempts: 2, initialDelay: '1s' },
    ...more,
  });
  const response = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([201, expect.anything()]);
}

const { read, until, untilWatched, untilEnded, started, press: pressArn } = errandRun(() => host);

/** What the job has started, the last one first. */
const tasksOf = async (jobId: string): Promise<Task[]> =>
  (await started<Task>()).filter(({ of }) => of === `target-${jobId}`);

const press = async (jobId: string, act: string): Promise<void> =>
  pressArn((await tasksOf(jobId))[0]!.arn, act);

/** What the API tells of a running task, and what its container is told. */
async function expectShown(): Promise<void> {
  const { errand, execId } = (await read('good'))!;
  const [good] = await tasksOf('good');
  expect(errand).toMatchObject({
    type: 'ecs',
    state: 'watched',
    id: good!.arn,
    consoleUrl: expect.stringContaining(
      'us-east-1.console.aws.amazon.com/ecs/v2/clusters/target-jobs/tasks/',
    ),
  });
  const variables = Object.fromEntries(
    (JSON.parse(good!.input) as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  );
  expect(variables).toMatchObject({
    DAY: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    QUARTERJACK_PAYLOAD: '{"of":"good"}',
    QUARTERJACK_JOB: 'good',
    QUARTERJACK_EXECUTION: execId,
    QUARTERJACK_ERRAND: expect.stringMatching(/^qj-[0-9a-f]{6}-[0-9a-f]{40}-0$/),
  });
}

async function expectEnds(): Promise<void> {
  expect(await untilEnded('good')).toMatchObject({ status: 'succeeded', result: { body: 'exit 0: app' } });
  expect(await untilEnded('bad')).toMatchObject({
    status: 'succeeded',
    attempts: [{ error: expect.stringMatching(/^exit 1: app/) as string }, { outcome: 'succeeded' }],
  });
  expect(await untilEnded('spot')).toMatchObject({ status: 'succeeded' });
  expect(await untilEnded('lost')).toMatchObject({ status: 'succeeded' });
  expect(await untilEnded('full')).toMatchObject({
    status: 'succeeded',
    attempts: [{ outcome: 'retriable', error: 'not started: RESOURCE:MEMORY' }, { outcome: 'succeeded' }],
  });
  expect(await untilEnded('stopped')).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect((await untilEnded('late'))?.attempts.at(-1)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringContaining('timed out') as string,
  });
}

const JOBS = ['good', 'bad', 'spot', 'lost', 'stopped', 'full'];

test(
  'what tasks do survives a kill of the run, and each job ends as its task ends',
  async () => {
    for (const jobId of JOBS) await create(jobId);
    await create('late', { timeout: '5s', retry: { maxAttempts: 1 } });
    await Promise.all(JOBS.map(untilWatched));
    await host.kill();
    await start();

    await expectShown();

    await press('good', 'end well');
    await press('bad', 'end badly');
    await press('spot', 'interrupt it');
    await press('lost', 'lose the event');
    await press('lost', 'end well');
    await press('full', 'end well');
    const stopped = (await read('stopped'))!;
    const cancel = await host.fetch(`/v1/jobs/stopped/executions/${stopped.execId}/cancel`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(cancel.status).toBe(202);
    for (const jobId of ['bad', 'spot']) {
      const second = await until(
        jobId,
        (seen) => seen.errand?.state === 'watched' && seen.attempts.length === 1,
      );
      expect(second?.attempts).toMatchObject([{ outcome: jobId === 'bad' ? 'retriable' : 'lost' }]);
      await press(jobId, 'end well');
    }

    await expectEnds();
    for (const jobId of [...JOBS, 'late']) {
      expect((await read(jobId))?.errand).toBeUndefined();
      const ends = (await tasksOf(jobId)).map(({ status, cause }) => [status, cause]);
      expect([jobId, ends]).toEqual([jobId, ENDED[jobId]]);
    }
  },
  2 * WITHIN_MS,
);

/** How the tasks of each family have ended, the last one first. */
const ENDED: Record<string, [status: string, cause: string | undefined][]> = {
  good: [['STOPPED', 'exit 0']],
  bad: [
    ['STOPPED', 'exit 0'],
    ['STOPPED', 'exit 1'],
  ],
  spot: [
    ['STOPPED', 'exit 0'],
    ['STOPPED', 'Your Spot Task was interrupted.'],
  ],
  lost: [['STOPPED', 'exit 0']],
  full: [
    ['STOPPED', 'exit 0'],
    ['REFUSED', undefined],
  ],
  stopped: [['STOPPED', 'exit 143']],
  late: [['STOPPED', 'exit 143']],
};

test.each([
  ['taskDefinitionArn', { taskDefinitionArn: `${HERE}:task-definition/other` }, /is not among the ARNs/],
  ['clusterArn', { clusterArn: `${HERE}:cluster/other` }, /is not among the ARNs/],
  ['clusterArn', { clusterArn: `${FAMILIES}x` }, /is not the ARN of a cluster/],
  ['environment.QUARTERJACK_ID', { environment: { QUARTERJACK_ID: '1' } }, /is set by Quarterjack/],
  ['environment.KEY', { environment: { KEY: '{{ secrets.key }}' } }, /must not name a secret/],
  ['container', { container: undefined, environment: { A: '1' } }, /is missing/],
])('a target with another %s is refused', async (field, more, message) => {
  const target = {
    type: 'ecs',
    taskDefinitionArn: `${FAMILIES}a`,
    clusterArn: CLUSTER,
    container: 'app',
    ...more,
  };
  const body = JSON.stringify({ jobId: 'no', schedule: { type: 'none' }, target });
  const response = await host.fetch('/v1/jobs', { method: 'POST', headers, body });
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
  expect(errors).toEqual([{ path: `target.${field}`, message: expect.stringMatching(message) as string }]);
});

const GRANTS = [
  `executor ecs:RunTask ${FAMILIES}*`,
  `executor ecs:TagResource ${HERE}:task/target-jobs/*`,
  `watcher ecs:DescribeTasks ${HERE}:task/target-jobs/*`,
  `watcher ecs:StopTask ${HERE}:task/target-jobs/*`,
];

test('each of these calls needs its own grant, and none was denied', async () => {
  const { policies } = readStack(readAssembly(assembly), AWS);
  const needs = new Needs(policies, (grant) => !GRANTS.includes(grant));
  expect(needs.grants).toEqual(expect.arrayContaining(GRANTS));
  needs.learn(await host.decisions());
  expect(needs.unneeded).toEqual([]);
  expect(host.errors).not.toContain('AccessDenied');
});
