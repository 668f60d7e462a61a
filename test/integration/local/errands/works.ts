import { workScriptParser } from '../../../../local/services/works/scripts';
import { type ErrandRun, HERE, type PlayedErrands } from './played-errands';

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
const JOBS = KINDS.flatMap((kind) => ['good', 'bad', 'lost', 'stopped'].map((what) => `${kind}-${what}`));
const FULL = ['glue-full', 'build-full'];
/** Jobs whose first attempt fails in a way that is tried again. */
const AGAIN = ['glue-bad', 'build-bad', 'batch-gone', ...FULL];

const create = (run: ErrandRun, jobId: string): Promise<void> => {
  const kind = jobId.split('-')[0] as (typeof KINDS)[number];
  return run.create(jobId, TARGETS[kind](jobId), { templates: true });
};

/** What the API tells of running work, and what the work is heard. */
async function expectShown({ read, worksOf }: ErrandRun): Promise<void> {
  for (const jobId of KINDS.map((kind) => `${kind}-good`)) {
    const { errand, execId } = (await read(jobId))!;
    expect(errand).toMatchObject({
      state: 'watched',
      id: expect.any(String) as string,
      consoleUrl: expect.stringContaining('https://us-east-1.console.aws.amazon.com/') as string,
    });
    const { input } = (await worksOf(jobId))[0]!;
    for (const heard of [execId, `{\\"of\\":\\"${jobId}\\"}`, 'QUARTERJACK_ERRAND'])
      expect(input).toContain(heard);
    expect(input).toMatch(/"\d{4}-\d\d-\d\d"/);
  }
}

const FOREIGN = /is not among the ARNs/;

/** Jobs of Batch, runs of Glue, and builds of CodeBuild. */
export const works: PlayedErrands = {
  settings: {
    allowedTargetArns: [
      `${HERE('batch')}:job-definition/target-*`,
      QUEUE,
      `${HERE('glue')}:job/target-*`,
      `${HERE('codebuild')}:project/target-*`,
    ],
    errands: { allowOverrides: true },
  },
  scripts: {
    batchJobs: [workScriptParser('batch')('*=1h')],
    glueJobs: ['*=1h', 'target-glue-full=1h,no-room,succeeded'].map(workScriptParser('glue')),
    builds: ['*=1h', 'target-build-full=1h,no-room,succeeded'].map(workScriptParser('codebuild')),
  },
  grants: [
    `executor batch:SubmitJob ${QUEUE}`,
    `executor glue:StartJobRun ${HERE('glue')}:job/target-*`,
    `executor codebuild:StartBuild ${HERE('codebuild')}:project/target-*`,
    `watcher batch:TerminateJob ${HERE('batch')}:job/*`,
    `watcher glue:BatchStopJobRun ${HERE('glue')}:job/target-*`,
    `watcher codebuild:StopBuild ${HERE('codebuild')}:project/target-*`,
  ],
  refused: [
    ['jobQueueArn', { ...TARGETS.batch('a'), jobQueueArn: `${HERE('batch')}:job-queue/other` }, FOREIGN],
    ['glueJobArn', { ...TARGETS.glue('a'), glueJobArn: `${HERE('glue')}:job/other` }, FOREIGN],
    ['projectArn', { ...TARGETS.build('a'), projectArn: `${HERE('codebuild')}:project/other` }, FOREIGN],
  ],
  async begin(run) {
    for (const jobId of [...JOBS, ...FULL, 'batch-gone']) await create(run, jobId);
    // A stand-in that is killed forgets what it has refused, and would refuse it again: so these too.
    await Promise.all([...JOBS, ...FULL].map(run.untilWatched));
  },
  async endWork(run) {
    await expectShown(run);
    for (const kind of KINDS) {
      await run.press(`${kind}-good`, 'end well');
      await run.press(`${kind}-bad`, 'end badly');
      await run.press(`${kind}-lost`, 'lose the event');
      await run.press(`${kind}-lost`, 'end well');
      await run.cancel(`${kind}-stopped`);
    }
    await run.untilWatched('batch-gone');
    await run.press('batch-gone', 'interrupt it');
    for (const jobId of AGAIN) {
      const outcome = jobId === 'batch-gone' ? 'lost' : 'retriable';
      expect([jobId, (await run.untilSecond(jobId))?.attempts]).toMatchObject([jobId, [{ outcome }]]);
      await run.press(jobId, 'end well');
    }
  },
  async expectEnds({ untilEnded, worksOf }) {
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
    for (const jobId of AGAIN) expect(await untilEnded(jobId)).toMatchObject({ status: 'succeeded' });
  },
};
