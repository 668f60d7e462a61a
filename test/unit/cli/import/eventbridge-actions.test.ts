import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { importFromAws } from '../../../../cli/import/eventbridge/translate';
import { importText } from '../../../../cli/import/report';
import type { ServiceActions } from '../../../../lambdas/core/contracts/action-schemas';
import { knownServices, operationsOf } from '../../../../lambdas/core/contracts/action-names';
import { fitInput } from '../../../../lambdas/core/delivery/actions/fit-input';
import { awsSchedule, withTarget } from './aws-schedule';

const NOW_MS = Date.parse('2026-11-21T08:00:00Z');
const ROLE = 'arn:aws:iam::111122223333:role/etl';
const SCHEDULE = awsSchedule().Arn!;

const importOf = (target: object) => importFromAws([awsSchedule(withTarget(target))], NOW_MS);
const universal = (call: string, input: object) =>
  importOf({ Arn: `arn:aws:scheduler:::aws-sdk:${call}`, Input: JSON.stringify(input) });

/** Whether the operation takes it, as the API would check it. */
function fits({ action, input }: { action: string; input: Record<string, unknown> }, isRendered = true) {
  const [service = '', operation = ''] = action.split(':');
  const path = join(__dirname, `../../../../actions/${service}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as ServiceActions;
  return fitInput(file, file.actions[operation]!, input, { isRendered, passRoles: 'any' });
}

test.each<[string, object, string]>([
  ['ec2:stopInstances', { InstanceIds: ['i-1'] }, 'ec2:StopInstances'],
  ['rds:startDBCluster', { DbClusterIdentifier: 'staging' }, 'rds:StartDBCluster'],
  ['ecs:updateService', { Service: 'web', DesiredCount: 0 }, 'ecs:UpdateService'],
  [
    'emrserverless:startJobRun',
    { ApplicationId: '1', ExecutionRoleArn: ROLE, JobDriver: { SparkSubmit: { EntryPoint: 's3://x' } } },
    'emrserverless:StartJobRun',
  ],
  ['sfn:startSyncExecution', { StateMachineArn: 'arn:aws:states:x' }, 'sfn:StartSyncExecution'],
])('%s keeps its input, which the operation takes', (call, input, action) => {
  const { jobs, refused } = universal(call, input);
  expect(refused).toEqual([]);
  const target = { type: 'aws', action, input, region: 'eu-central-1' };
  expect(jobs[0]!.definition).toMatchObject({ target });
  expect(jobs[0]!.definition).not.toHaveProperty('templates');
  expect(jobs[0]!.notes).toEqual([]);
  expect(fits(target as never)).toBeTruthy();
});

test('what AWS fills in becomes templates, and braces stay braces', () => {
  const { jobs } = universal('kinesis:putRecord', {
    StreamName: 'orders',
    PartitionKey: '<aws.scheduler.execution-id>',
    Data: '{"at":"<aws.scheduler.scheduled-time>","of":"<aws.scheduler.schedule-arn>","try":<aws.scheduler.attempt-number>,"as":"{{x}}"}',
  });
  expect(jobs[0]).toMatchObject({
    definition: {
      templates: true,
      target: {
        input: {
          PartitionKey: '{{ run.id }}',
          Data: `{"at":"{{ run.dueAt }}","of":"${SCHEDULE}","try":1,"as":"{{{{x}}"}`,
        },
      },
    },
    notes: ['its <aws.scheduler.attempt-number> is 1 in all attempts: an input never changes'],
  });
});

test.each<[string, object, object]>([
  [
    'a stream',
    {
      Arn: 'arn:aws:kinesis:eu-west-1:111122223333:stream/orders',
      KinesisParameters: { PartitionKey: 'a' },
    },
    {
      action: 'kinesis:PutRecord',
      region: 'eu-west-1',
      input: {
        StreamARN: 'arn:aws:kinesis:eu-west-1:111122223333:stream/orders',
        PartitionKey: 'a',
        Data: '{"kind":"daily"}',
      },
    },
  ],
  [
    'a delivery stream',
    { Arn: 'arn:aws:firehose:eu-west-1:111122223333:deliverystream/logs' },
    {
      action: 'firehose:PutRecord',
      input: { DeliveryStreamName: 'logs', Record: { Data: '{"kind":"daily"}' } },
    },
  ],
  [
    'a pipeline',
    {
      Arn: 'arn:aws:sagemaker:eu-west-1:111122223333:pipeline/train',
      SageMakerPipelineParameters: { PipelineParameterList: [{ Name: 'a', Value: 'b' }] },
    },
    {
      action: 'sagemaker:StartPipelineExecution',
      input: {
        PipelineName: 'arn:aws:sagemaker:eu-west-1:111122223333:pipeline/train',
        PipelineParameters: [{ Name: 'a', Value: 'b' }],
      },
    },
  ],
])('%s becomes the call that it is', (_, target, expected) => {
  const { jobs, refused } = importOf(target);
  expect(refused).toEqual([]);
  const { target: made } = jobs[0]!.definition as { target: Parameters<typeof fits>[0] };
  expect(made).toMatchObject({ type: 'aws', ...expected });
  expect(fits(made)).toBeTruthy();
});

test('the report says what the deployment has to allow, with ARNs and roles of the input', () => {
  const stateMachineArn = 'arn:aws:states:eu-central-1:111122223333:stateMachine:flow';
  const text = importText(
    importFromAws(
      [
        ...[
          ['emrserverless:startJobRun', { ApplicationId: '1', ExecutionRoleArn: ROLE }] as const,
          ['sfn:startSyncExecution', { StateMachineArn: stateMachineArn }] as const,
        ].map(([call, input], index) =>
          awsSchedule({
            Name: `job-${index}`,
            ...withTarget({ Arn: `arn:aws:scheduler:::aws-sdk:${call}`, Input: JSON.stringify(input) }),
          }),
        ),
      ],
      NOW_MS,
    ),
    { good: String, bad: String, warn: String, dim: String } as never,
  );
  expect(text).toContain(
    `in allowedActions, with the ARNs of all that they may touch:\n  {"action":"emrserverless:StartJobRun","resources":[],"passRoles":["${ROLE}"]}\n  {"action":"sfn:StartSyncExecution","resources":["${stateMachineArn}"]}\n`,
  );
});

test.each<[string, object, RegExp]>([
  [
    'kinesis:putRecord',
    { StreamName: '<aws.scheduler.other>' },
    /<aws\.scheduler\.other>, which is not known/,
  ],
  ['s3:putObject', {}, /calls s3:putObject, and no target may call that service/],
  ['kinesis:getRecords', {}, /calls kinesis:getRecords, and no target may call it: it only reads/],
  ['lambda:updateFunctionCode', {}, /no target may call it: it only reads, gives rights, or changes code/],
])('%s with %j is refused by its name', (call, input, reason) => {
  const { jobs, refused } = universal(call, input);
  expect(jobs).toEqual([]);
  expect(refused).toMatchObject([{ reason: expect.stringMatching(reason) }]);
});

test('a number that would lose digits is refused', () => {
  const { refused } = importOf({
    Arn: 'arn:aws:scheduler:::aws-sdk:ecs:updateService',
    Input: '{"Service":"web","DesiredCount":12345678901234567890}',
  });
  expect(refused[0]!.reason).toMatch(/would lose digits/);
});

test('each operation that is known is found by the name that AWS has for it', () => {
  for (const service of knownServices())
    for (const operation of operationsOf(service)!) {
      const call = `${service}:${operation[0]!.toLowerCase()}${operation.slice(1)}`;
      const { jobs, refused } = universal(call, {});
      const isOwnKind = jobs.length === 0 || (jobs[0]!.definition.target as { type: string }).type !== 'aws';
      if (!isOwnKind) expect(jobs[0]!.definition.target).toMatchObject({ action: `${service}:${operation}` });
      else expect(OWN_KINDS).toContain(call);
      expect(refused.length + jobs.length).toBe(1);
    }
});
/** They become targets that do the same, and wait for what they start. */
const OWN_KINDS = [
  ...['batch:submitJob', 'glue:startJobRun', 'codebuild:startBuild', 'lambda:invoke'],
  ...['sqs:sendMessage', 'sns:publish', 'sfn:startExecution'],
];
