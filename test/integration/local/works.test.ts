import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { workScriptParser } from '../../../local/services/works/scripts';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { Needs } from '../../support/iam/needs';
import { errandRun, WITHIN_MS } from '../../support/local/errand-run';
import { Host } from '../../support/local/host';
import { synthesizeWith } from '../../support/local/synthesize-with';

const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
const HERE = (service: string) => `arn:aws:${service}:us-east-1:000000000000`;
const QUEUE = `${HERE('batch')}:job-queue/target-spot`;

/** The target of each job, by the beginning of its id. */
const TARGETS = {
  batch: (jobId: string) => ({
    type: 'batch',
    jobDefinitionArn: `${HERE('batch')}:job-definition/target-${jobId}`,
    jobQueueArn: QUEUE,
    environment: { DAY: '{{ run.day }}' },
    command: ['make', '{{ run.day }}'],
    fatalExitCodes: [1],
  }),
  glue: (jobId: string) => ({
    type: 'glue',
    glueJobArn: `${HERE('glue')}:job/target-${jobId}`,
    arguments: { '--day': '{{ run.day }}' },
  }),
  build: (jobId: string) => ({
    type: 'codebuild',
    projectArn: `${HERE('codebuild')}:project/target-${jobId}`,
    environment: { DAY: '{{ run.day }}' },
  }),
};
const KINDS = Object.keys(TARGETS) as (keyof typeof TARGETS)[];

interface Work {
  arn: string;
  of: string;
  status: string;
  cause?: string;
  input: string;
}

let assembly: string;
let dataDir: string;
let host: Host;

async function start(): Promise<void> {
  host = await Host.start({
    ...{ port: 0, dataDir, assembly },
    batchJobs: [workScriptParser('batch')('*=1h')],
    glueJobs: ['*=1h', 'target-glue-full=1h,no-room,succeeded'].map(workScriptParser('glue')),
    builds: ['*=1h', 'target-build-full=1h,no-room,succeeded'].map(workScriptParser('codebuild')),
  });
}

beforeAll(async () => {
  assembly = synthesizeWith({
    allowedTargetArns: [
      `${HERE('batch')}:job-definition/target-*`,
      QUEUE,
      `${HERE('glue')}:job/target-*`,
      `${HERE('codebuild')}:project/target-*`,
    ],
    errands: { allowOverrides: true },
  });
  dataDir = mkdtempSync(join(tmpdir(), 'works-'));
  await start();
});

afterAll(async () => {
  await host?.stop();
  rmSync(assembly, { recursive: true });
  rmSync(dataDir, { recursive: true });
});

const { post, read, until, untilWatched, untilEnded, started, press: pressArn } = errandRun(() => host);

async function create(kind: (typeof KINDS)[number], what: string): Promise<void> {
  const jobId = `${kind}-${what}`;
  const response = await post('/v1/jobs', {
    jobId,
    schedule: { type: 'delay', delay: '1s' },
    target: TARGETS[kind](jobId),
    templates: true,
    payload: { of: jobId },
    retry: { maxAttempts: 2, initialDelay: '1s' },
  });
  expect([response.status, await response.json()]).toEqual([201, expect.anything()]);
}

/** What the job has started, the last one first. */
const worksOf = async (jobId: string): Promise<Work[]> =>
  (await started<Work>()).filter(({ of }) => of === `target-${jobId}`);
const press = async (jobId: string, act: string): Promise<void> =>
  pressArn((await worksOf(jobId))[0]!.arn, act);

/** What the API tells of running work, and what the work is heard. */
async function expectShown(): Promise<void> {
  for (const kind of KINDS) {
    const { errand, execId } = (await read(`${kind}-good`))!;
    expect(errand).toMatchObject({
      state: 'watched',
      id: expect.any(String) as string,
      consoleUrl: expect.stringContaining('https://us-east-1.console.aws.amazon.com/') as string,
    });
    const { input } = (await worksOf(`${kind}-good`))[0]!;
    for (const heard of [execId, `{\\"of\\":\\"${kind}-good\\"}`, 'QUARTERJACK_ERRAND'])
      expect(input).toContain(heard);
    expect(input).toMatch(/"\d{4}-\d\d-\d\d"/);
  }
}

async function expectEnds(): Promise<void> {
  for (const kind of KINDS) {
    expect(await untilEnded(`${kind}-good`)).toMatchObject({ status: 'succeeded' });
    expect(await untilEnded(`${kind}-lost`)).toMatchObject({ status: 'succeeded' });
    expect(await untilEnded(`${kind}-stopped`)).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled-by-user',
    });
    expect((await worksOf(`${kind}-stopped`))[0]).toMatchObject({
      status: 'ENDED',
      cause: expect.stringMatching(/^stopped/) as string,
    });
  }
  // Its exit code is fatal, so nothing is tried again.
  expect(await untilEnded('batch-bad')).toMatchObject({
    status: 'failed',
    attempts: [{ outcome: 'fatal' }],
  });
  for (const jobId of ['glue-bad', 'build-bad', 'batch-gone', 'glue-full', 'build-full'])
    expect(await untilEnded(jobId)).toMatchObject({ status: 'succeeded' });
}

const JOBS = ['good', 'bad', 'lost', 'stopped'];

test(
  'what services do survives a kill of the run, and each job ends as its work ends',
  async () => {
    for (const kind of KINDS) for (const what of JOBS) await create(kind, what);
    await create('batch', 'gone');
    await create('glue', 'full');
    await create('build', 'full');
    for (const kind of KINDS) for (const what of JOBS) await untilWatched(`${kind}-${what}`);
    // A stand-in that is killed forgets what it has refused, and would refuse it again.
    for (const jobId of ['glue-full', 'build-full']) await untilWatched(jobId);
    await host.kill();
    await start();

    await expectShown();
    for (const kind of KINDS) {
      await press(`${kind}-good`, 'end well');
      await press(`${kind}-bad`, 'end badly');
      await press(`${kind}-lost`, 'lose the event');
      await press(`${kind}-lost`, 'end well');
      const { execId } = (await read(`${kind}-stopped`))!;
      const path = `/v1/jobs/${kind}-stopped/executions/${execId}/cancel`;
      expect((await post(path, {})).status).toBe(202);
    }
    await press('batch-gone', 'interrupt it');
    for (const jobId of ['glue-bad', 'build-bad', 'batch-gone', 'glue-full', 'build-full']) {
      const second = await until(
        jobId,
        ({ errand, attempts }) => errand?.state === 'watched' && attempts.length === 1,
      );
      expect([jobId, second?.attempts[0]?.outcome]).toEqual([
        jobId,
        jobId === 'batch-gone' ? 'lost' : 'retriable',
      ]);
      await press(jobId, 'end well');
    }

    await expectEnds();
  },
  2 * WITHIN_MS,
);

test.each([
  ['jobQueueArn', { ...TARGETS.batch('a'), jobQueueArn: `${HERE('batch')}:job-queue/other` }],
  ['glueJobArn', { ...TARGETS.glue('a'), glueJobArn: `${HERE('glue')}:job/other` }],
  ['projectArn', { ...TARGETS.build('a'), projectArn: `${HERE('codebuild')}:project/other` }],
])('a target with another %s is refused', async (field, target) => {
  const response = await post('/v1/jobs', { jobId: 'no', schedule: { type: 'none' }, target });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: [{ path: `target.${field}`, message: expect.stringMatching(/is not among the ARNs/) as string }],
  });
});

const GRANTS = [
  `executor batch:SubmitJob ${QUEUE}`,
  `executor glue:StartJobRun ${HERE('glue')}:job/target-*`,
  `executor codebuild:StartBuild ${HERE('codebuild')}:project/target-*`,
  `watcher batch:TerminateJob ${HERE('batch')}:job/*`,
  `watcher glue:BatchStopJobRun ${HERE('glue')}:job/target-*`,
  `watcher codebuild:StopBuild ${HERE('codebuild')}:project/target-*`,
];

test('each of these calls needs its own grant, and none was denied', async () => {
  const { policies } = readStack(readAssembly(assembly), AWS);
  const needs = new Needs(policies, (grant) => !GRANTS.includes(grant));
  expect(needs.grants).toEqual(expect.arrayContaining(GRANTS));
  needs.learn(await host.decisions());
  expect(needs.unneeded).toEqual([]);
  expect(host.errors).not.toContain('AccessDenied');
});
