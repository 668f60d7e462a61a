import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { WorkflowBody } from '../../../../lambdas/core/http/workflow';
import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';
import { Session } from '../terminal-session';

// States that wait for work of AWS: a job does it, and a task starts that job.

type Json = Record<string, unknown>;
const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const MACHINE = `${HERE('states')}:stateMachine:target-load`;
const sync = (service: string, Parameters: Json, fields: Json = {}): Json => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${service}`,
  Parameters,
  ...fields,
});
const ECS = sync(
  'ecs:runTask.sync',
  {
    LaunchType: 'FARGATE',
    Cluster: `${HERE('ecs')}:cluster/target-jobs`,
    TaskDefinition: `${HERE('ecs')}:task-definition/target-extract:7`,
    NetworkConfiguration: { AwsvpcConfiguration: { Subnets: ['subnet-0a'] } },
    Overrides: {
      ContainerOverrides: [
        {
          Name: 'app',
          Environment: [
            { Name: 'DAY', 'Value.$': '$.day' },
            { Name: 'MODE', Value: 'full' },
          ],
        },
      ],
    },
  },
  {
    ResultPath: '$.extract',
    TimeoutSeconds: 3_600,
    Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 60, MaxAttempts: 2 }],
  },
);
const ETL = {
  StartAt: 'Extract',
  States: {
    Extract: { ...ECS, Next: 'Transform' },
    Transform: {
      ...sync('glue:startJobRun.sync', { JobName: 'target-etl', Arguments: { '--day.$': '$.day' } }),
      ResultPath: null,
      Next: 'Load',
    },
    Load: {
      ...sync('states:startExecution.sync:2', {
        StateMachineArn: MACHINE,
        Input: { 'task.$': '$.extract.TaskArn', from: 'etl' },
      }),
      OutputPath: '$.Output.rows',
      Next: 'Tell',
    },
    Tell: { Type: 'Task', Resource: `${HERE('lambda')}:function:target-tell`, End: true },
  },
};
const imported = (machine: Json) => {
  const { jobs, ...rest } = importFromStepFunctions(machine, 'etl.asl.json', 'etl', { arn: MACHINE });
  const byId = Object.fromEntries(jobs.map(({ jobId, definition }) => [jobId, definition as Json]));
  const workflow = byId.etl?.workflow as { tasks: Record<string, Json> } | undefined;
  return { ...rest, jobs, byId, workflow };
};

test('each state is a task that starts a job, which waits for the work', () => {
  const { refused, byId, workflow, allowedTargetArns, jobs } = imported(ETL);
  expect(refused).toEqual([]);
  expect(WorkflowBody.safeParse(workflow).error?.issues).toBeUndefined();
  expect(workflow!.tasks).toMatchObject({
    Extract: { job: 'etl.Extract', input: { day: '{{ params.input.day }}' } },
    Transform: { job: 'etl.Transform', input: { day: '{{ params.input.day }}' } },
    Load: { job: 'etl.Load', input: { task: '{{ tasks.Extract.output.taskArn }}', from: 'etl' } },
    Tell: { input: '{{ tasks.Load.output.rows }}' },
  });
  expect(byId['etl.Extract']).toMatchObject({
    schedule: { type: 'none' },
    target: { type: 'ecs', container: 'app', environment: { DAY: '{{ payload.day }}', MODE: 'full' } },
    templates: true,
    timeout: '3600s',
    retry: { maxAttempts: 3, initialDelay: '60s' },
  });
  expect(byId['etl.Transform']).toMatchObject({
    target: {
      type: 'glue',
      glueJobArn: `${HERE('glue')}:job/target-etl`,
      arguments: { '--day': '{{ payload.day }}' },
    },
    timeout: '604800s',
    retry: { maxAttempts: 1 },
  });
  expect(byId['etl.Load']).toMatchObject({
    target: { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true },
  });
  expect(byId['etl.Load']).not.toHaveProperty('templates');
  expect(allowedTargetArns).toEqual([
    `${HERE('ecs')}:task-definition/target-extract:7`,
    `${HERE('ecs')}:cluster/target-jobs`,
    `${HERE('glue')}:job/target-etl`,
    MACHINE,
  ]);
  expect(jobs.at(-1)!.notes.join('\n')).toMatch(/Extract: its launchType is for errands\.ecs\.clusters/);
});

test('jobs of Batch and builds are waited for, with the limits of their calls', () => {
  const { byId, refused } = imported({
    StartAt: 'Both',
    States: {
      Both: {
        Type: 'Parallel',
        End: true,
        Branches: [
          {
            StartAt: 'Submit',
            States: {
              Submit: {
                ...sync('batch:submitJob.sync', {
                  JobName: 'report',
                  JobQueue: 'target-spot',
                  JobDefinition: 'target-report:3',
                  Parameters: { 'day.$': '$.day', 'again.$': '$.other.day' },
                  Timeout: { AttemptDurationSeconds: 600 },
                }),
                End: true,
              },
            },
          },
          {
            StartAt: 'Build',
            States: {
              Build: { ...sync('codebuild:startBuild.sync', { ProjectName: 'target-site' }), End: true },
            },
          },
        ],
      },
    },
  });
  expect(refused).toEqual([]);
  expect(byId).toMatchObject({
    'etl.Submit': {
      target: { type: 'batch', parameters: { day: '{{ payload.day }}', again: '{{ payload.day2 }}' } },
      timeout: '600s',
    },
    'etl.Build': {
      target: { type: 'codebuild', projectArn: `${HERE('codebuild')}:project/target-site` },
      timeout: '158400s',
    },
  });
});

test('items of a Map are executions of one job', () => {
  const { byId, workflow, refused } = imported({
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemsPath: '$.days',
        ToleratedFailurePercentage: 100,
        ItemProcessor: {
          StartAt: 'Run',
          States: {
            Run: {
              ...sync('glue:startJobRun.sync', { JobName: 'target-etl', Arguments: { '--day.$': '$.day' } }),
              End: true,
            },
          },
        },
        End: true,
      },
    },
  });
  expect(refused).toEqual([]);
  expect(workflow!.tasks.Each).toMatchObject({
    job: 'etl.Run',
    input: { day: '{{ item.day }}' },
    forEach: { items: '{{ params.input.days }}' },
  });
  expect(byId['etl.Run']).toMatchObject({ target: { arguments: { '--day': '{{ payload.day }}' } } });
});

test('without the ARN of the machine, a name is refused: nothing is guessed', () => {
  const { refused, jobs } = importFromStepFunctions(ETL, 'etl.asl.json', 'etl');
  expect(jobs).toEqual([]);
  expect(refused.slice(0, 1)).toEqual([
    { source: 'etl.asl.json: Transform', reason: expect.stringContaining('--arn, the ARN of the machine') },
  ]);
});

test('a plan takes the file as it is written, and apply makes the jobs of the work first', async () => {
  const session = new Session();
  try {
    const [file, out] = [join(session.home, 'etl.asl.json'), join(session.home, 'jobs.yaml')];
    writeFileSync(file, JSON.stringify(ETL));
    const written = await session.run(`import step-functions ${file} --arn ${MACHINE} --out ${out}`);
    expect([written.exitCode, written.stdout]).toEqual([
      0,
      expect.stringContaining('4 can be imported, 0 cannot.'),
    ]);
    expect((await session.run(`apply --yes ${out}`)).stdout).toContain('Done: 4 of 4.');
    expect(await session.json('jobs get etl.Extract')).toMatchObject({ target: { type: 'ecs' } });
  } finally {
    session.end();
  }
});

test('an ARN of something else is no place', async () => {
  const session = new Session();
  const file = join(session.home, 'etl.asl.json');
  writeFileSync(file, JSON.stringify(ETL));
  const { exitCode, stderr } = await session.run(`import step-functions ${file} --arn etl`);
  session.end();
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('--arn is "etl"; expected the ARN')]);
});
