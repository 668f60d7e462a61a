import { parseTaskScript } from '../../../../local/services/ecs/scripts';
import { type ErrandRun, HERE, type PlayedErrands } from './played-errands';

const ECS = HERE('ecs');
const FAMILIES = `${ECS}:task-definition/target-`;
const CLUSTER = `${ECS}:cluster/target-jobs`;
const JOBS = ['good', 'bad', 'spot', 'lost', 'stopped', 'full'].map((what) => `task-${what}`);

const targetOf = (family: string) => ({
  type: 'ecs',
  taskDefinitionArn: `${FAMILIES}${family}`,
  clusterArn: CLUSTER,
  container: 'app',
});

const create = (run: ErrandRun, jobId: string, more: object = {}): Promise<void> =>
  run.create(
    jobId,
    { ...targetOf(jobId), environment: { DAY: '{{ run.day }}' } },
    { templates: true, ...more },
  );

/** What the API tells of a running task, and what its container is told. */
async function expectShown({ read, worksOf }: ErrandRun): Promise<void> {
  const { errand, execId } = (await read('task-good'))!;
  const [good] = await worksOf('task-good');
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
    QUARTERJACK_PAYLOAD: '{"of":"task-good"}',
    QUARTERJACK_JOB: 'task-good',
    QUARTERJACK_EXECUTION: execId,
    QUARTERJACK_ERRAND: expect.stringMatching(/^qj-[0-9a-f]{6}-[0-9a-f]{40}-0$/),
  });
}

type End = [status: string, cause: string | undefined];
const STOPPED = (cause: string): End => ['STOPPED', cause];
/** How the tasks of each family have ended, the last one first. */
const ENDED: Record<string, End[]> = {
  'task-good': [STOPPED('exit 0')],
  'task-bad': [STOPPED('exit 0'), STOPPED('exit 1')],
  'task-spot': [STOPPED('exit 0'), STOPPED('Your Spot Task was interrupted.')],
  'task-lost': [STOPPED('exit 0')],
  'task-full': [STOPPED('exit 0'), ['REFUSED', undefined]],
  'task-stopped': [STOPPED('exit 143')],
  'task-late': [STOPPED('exit 143')],
};

const FOREIGN = /is not among the ARNs/;
const refused = (path: string, more: object, message: RegExp) =>
  [path, { ...targetOf('a'), ...more }, message] as const;

export const ecsTasks: PlayedErrands = {
  settings: {
    allowedTargetArns: [`${FAMILIES}*`, CLUSTER],
    errands: { ecs: { clusters: { [CLUSTER]: { launchType: 'FARGATE', subnets: ['subnet-0a1b2c3d'] } } } },
  },
  scripts: { ecsTasks: ['*=1h', 'target-task-full=1h,no-room,exit-0'].map(parseTaskScript) },
  grants: [
    `executor ecs:RunTask ${FAMILIES}*`,
    `executor ecs:TagResource ${ECS}:task/target-jobs/*`,
    `watcher ecs:DescribeTasks ${ECS}:task/target-jobs/*`,
    `watcher ecs:StopTask ${ECS}:task/target-jobs/*`,
  ],
  refused: [
    refused('taskDefinitionArn', { taskDefinitionArn: `${ECS}:task-definition/other` }, FOREIGN),
    refused('clusterArn', { clusterArn: `${ECS}:cluster/other` }, FOREIGN),
    refused('clusterArn', { clusterArn: `${FAMILIES}x` }, /is not the ARN of a cluster/),
    refused('environment.QUARTERJACK_ID', { environment: { QUARTERJACK_ID: '1' } }, /is set by Quarterjack/),
    refused('environment.KEY', { environment: { KEY: '{{ secrets.key }}' } }, /must not name a secret/),
    refused('container', { container: undefined, environment: { A: '1' } }, /is missing/),
  ],
  async begin(run) {
    for (const jobId of JOBS) await create(run, jobId);
    await create(run, 'task-late', { timeout: '5s', retry: { maxAttempts: 1 } });
    await Promise.all(JOBS.map(run.untilWatched));
  },
  async endWork(run) {
    await expectShown(run);
    await run.press('task-good', 'end well');
    await run.press('task-bad', 'end badly');
    await run.press('task-spot', 'interrupt it');
    await run.press('task-lost', 'lose the event');
    await run.press('task-lost', 'end well');
    await run.press('task-full', 'end well');
    await run.cancel('task-stopped');
    for (const [jobId, outcome] of Object.entries({ 'task-bad': 'retriable', 'task-spot': 'lost' })) {
      expect((await run.untilSecond(jobId))?.attempts).toMatchObject([{ outcome }]);
      await run.press(jobId, 'end well');
    }
  },
  async expectEnds({ untilEnded, read, worksOf }) {
    expect(await untilEnded('task-good')).toMatchObject({
      status: 'succeeded',
      result: { body: 'exit 0: app' },
    });
    expect(await untilEnded('task-bad')).toMatchObject({
      status: 'succeeded',
      attempts: [{ error: expect.stringMatching(/^exit 1: app/) as string }, { outcome: 'succeeded' }],
    });
    for (const jobId of ['task-spot', 'task-lost'])
      expect(await untilEnded(jobId)).toMatchObject({ status: 'succeeded' });
    expect(await untilEnded('task-full')).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'retriable', error: 'not started: RESOURCE:MEMORY' }, { outcome: 'succeeded' }],
    });
    expect(await untilEnded('task-stopped')).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled-by-user',
    });
    expect((await untilEnded('task-late'))?.attempts.at(-1)).toMatchObject({
      outcome: 'retriable',
      error: expect.stringContaining('timed out') as string,
    });
    for (const [jobId, expected] of Object.entries(ENDED)) {
      expect((await read(jobId))?.errand).toBeUndefined();
      const ends = (await worksOf(jobId)).map(({ status, cause }) => [status, cause]);
      expect([jobId, ends]).toEqual([jobId, expected]);
    }
  },
};
