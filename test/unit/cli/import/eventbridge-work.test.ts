import { importFromAws } from '../../../../cli/import/eventbridge/translate';
import { awsSchedule, withTarget } from './aws-schedule';

const NOW_MS = Date.parse('2026-11-21T08:00:00Z');
const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;

const importOf = (Arn: string, input: object) =>
  importFromAws([awsSchedule(withTarget({ Arn, Input: JSON.stringify(input) }))], NOW_MS);
const universal = (call: string, input: object) => importOf(`arn:aws:scheduler:::aws-sdk:${call}`, input);

const BATCH = { JobName: 'nightly', JobQueue: 'spot', JobDefinition: 'report:7' };

test.each([
  [
    'batch:submitJob',
    {
      ...BATCH,
      Parameters: { Day: '7' },
      ContainerOverrides: { Environment: [{ Name: 'MODE', Value: 'full' }] },
      Timeout: { AttemptDurationSeconds: 3_600 },
    },
    {
      target: {
        type: 'batch',
        jobDefinitionArn: `${HERE('batch')}:job-definition/report:7`,
        jobQueueArn: `${HERE('batch')}:job-queue/spot`,
        environment: { MODE: 'full' },
        parameters: { Day: '7' },
      },
      timeout: '3600s',
    },
  ],
  [
    'glue:startJobRun',
    { JobName: 'etl', Arguments: { '--Day': '7' } },
    {
      target: { type: 'glue', glueJobArn: `${HERE('glue')}:job/etl`, arguments: { '--Day': '7' } },
      timeout: '7d',
    },
  ],
  [
    'codebuild:startBuild',
    { ProjectName: 'site', TimeoutInMinutesOverride: 30 },
    { target: { type: 'codebuild', projectArn: `${HERE('codebuild')}:project/site` }, timeout: '1800s' },
  ],
])('%s becomes work whose end counts', (call, input, definition) => {
  const { jobs, refused, allowedTargetArns } = universal(call, input);
  expect(refused).toEqual([]);
  expect(jobs[0]?.definition).toMatchObject({ ...definition, retry: { maxAttempts: 1 } });
  expect(jobs[0]?.definition).not.toHaveProperty('payload');
  expect(jobs[0]?.notes.join('\n')).toMatch(/ends as the work ends/);
  expect(allowedTargetArns?.length).toBe(call.startsWith('batch') ? 2 : 1);
});

test('a project as the target of a schedule is built', () => {
  const { jobs } = importOf(`${HERE('codebuild')}:project/site`, {
    environmentVariablesOverride: [{ name: 'MODE', value: 'full', type: 'PLAINTEXT' }],
  });
  expect(jobs[0]?.definition).toMatchObject({
    target: {
      type: 'codebuild',
      projectArn: `${HERE('codebuild')}:project/site`,
      environment: { MODE: 'full' },
    },
    timeout: '44h',
  });
});

test.each([
  ['batch:submitJob', { ...BATCH, ArrayProperties: { Size: 5 } }, /arrayProperties, which no job may say/],
  ['batch:submitJob', { ...BATCH, ContainerOverrides: { Command: ['x'] } }, /overrides command/],
  ['glue:startJobRun', { JobName: 'etl', WorkerType: 'G.8X' }, /workerType, which no job may say/],
  ['codebuild:startBuild', { ProjectName: 'site', BuildspecOverride: 'x' }, /buildspecOverride/],
  [
    'codebuild:startBuild',
    {
      ProjectName: 'site',
      EnvironmentVariablesOverride: [{ Name: 'KEY', Value: 'key', Type: 'SECRETS_MANAGER' }],
    },
    /its variable KEY is a reference/,
  ],
])('%s with %j has no counterpart', (call, input, reason) => {
  const { jobs, refused } = universal(call, input);
  expect(jobs).toEqual([]);
  expect(refused[0]?.reason).toMatch(reason);
});
