import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ServiceActions } from '../../../../../lambdas/core/contracts/action-schemas';
import { fitInput, InputFault } from '../../../../../lambdas/core/delivery/actions/fit-input';

const ROLE = 'arn:aws:iam::111122223333:role/etl';

function fit(call: string, input: object, { isRendered = true, passRoles = [] as string[] } = {}) {
  const [name, action] = call.split(':') as [string, string];
  const path = join(__dirname, `../../../../../actions/${name}.json`);
  const service = JSON.parse(readFileSync(path, 'utf8')) as ServiceActions;
  const tokenFor = (at: string) => `token of ${at}`;
  return fitInput(service, service.actions[action]!, { ...input }, { isRendered, passRoles, tokenFor });
}
function faultOf(call: string, input: object, options?: Parameters<typeof fit>[2]): string {
  try {
    return `fits: ${JSON.stringify(fit(call, input, options))}`;
  } catch (error) {
    if (error instanceof InputFault) return `${error.path} ${error.message}`;
    throw error;
  }
}

test('texts become bytes, times and numbers where the action takes those', () => {
  const text = { StreamName: 'orders', PartitionKey: 'a', Data: 'Größe' };
  expect(fit('kinesis:PutRecord', text).Data).toEqual(new Uint8Array(Buffer.from('Größe')));
  const bytes = { ...text, Data: { base64: 'AP8=' } };
  expect(fit('kinesis:PutRecord', bytes).Data).toEqual(new Uint8Array([0, 255]));
  const datum = { MetricName: 'm', Value: '7.5', Timestamp: '2026-01-31T12:00:00Z' };
  expect(fit('cloudwatch:PutMetricData', { Namespace: 'shop', MetricData: [datum] }).MetricData).toEqual([
    { MetricName: 'm', Value: 7.5, Timestamp: new Date('2026-01-31T12:00:00Z') },
  ]);
  const inSeconds = { ...datum, Timestamp: 1_769_860_800 };
  expect(fit('cloudwatch:PutMetricData', { Namespace: 'shop', MetricData: [inSeconds] })).toMatchObject({
    MetricData: [{ Timestamp: new Date('2026-01-31T12:00:00Z') }],
  });
});

test.each<[string, object, string]>([
  ['kinesis:PutRecord', { StreamName: 'o', PartitionKey: 'a' }, 'Data is missing'],
  [
    'kinesis:PutRecord',
    { StreamName: 'o', PartitionKey: 'a', Dta: 'x' },
    'Dta is not known to the action; did you mean "Data"?',
  ],
  [
    'kinesis:PutRecord',
    { StreamName: 'o', PartitionKey: 'a', Data: 'x', data: 'y' },
    'data is given twice: the case of letters makes no other member',
  ],
  ['sqs:PurgeQueue', { QueueUrl: 7 }, 'QueueUrl must be a text'],
  ['rds:StopDBCluster', { DBClusterIdentifier: null }, 'DBClusterIdentifier must not be null'],
  ['ec2:StopInstances', { InstanceIds: 'i-1' }, 'InstanceIds must be a list'],
  ['ec2:StopInstances', { InstanceIds: ['i-1', {}] }, 'InstanceIds.1 must be a text'],
  ['ec2:StopInstances', { InstanceIds: ['i-1'], Force: 'yes' }, 'Force must be true or false'],
  ['autoscaling:SetDesiredCapacity', { AutoScalingGroupName: 'a', DesiredCapacity: 'many' }, 'DesiredCapacity must be a number'],
  ['kinesis:PutRecord', { Data: 7, PartitionKey: 'a' }, 'Data must be a text, or bytes such as {"base64":"aGk="}'],
  ['kinesis:PutRecord', { Data: { base64: '?' }, PartitionKey: 'a' }, 'Data must be a text, or bytes such as {"base64":"aGk="}'],
  ['sqs:SendMessage', { QueueUrl: 'q', MessageBody: 'b', MessageAttributes: { a: {} } }, 'MessageAttributes.a.DataType is missing'],
])('%s with %j: %s', (call, input, fault) => {
  expect(faultOf(call, input)).toBe(fault);
});

test('the case of letters makes no other member, as EventBridge Scheduler writes them', () => {
  const run = { TaskDefinition: 'etl:3', Overrides: { ContainerOverrides: [{ Name: 'app' }] } };
  expect(fit('ecs:RunTask', run)).toMatchObject({
    taskDefinition: 'etl:3',
    overrides: { containerOverrides: [{ name: 'app' }] },
  });
  expect(faultOf('ecs:RunTask', { ...run, Overrides: { TASKROLEARN: ROLE } })).toMatch(/must not be passed on/);
});

test('a union has exactly one member', () => {
  const item = { Put: 1 };
  const fault = faultOf('dynamodb:PutItem', { TableName: 't', Item: { id: { S: 'a', N: '1' } } });
  expect(fault).toMatch(/^Item\.id must have exactly one of S, N, /);
  expect(faultOf('dynamodb:PutItem', { TableName: 't', Item: { id: { S: 'a' } } })).toMatch(/^fits/);
  expect(faultOf('dynamodb:PutItem', { TableName: 't', Item: item })).toBe('Item.Put must be an object');
});

test('a template fits until it is rendered, and then as what it has become', () => {
  const input = { AutoScalingGroupName: 'a', DesiredCapacity: '{{ params.size }}' };
  expect(faultOf('autoscaling:SetDesiredCapacity', input, { isRendered: false })).toMatch(/^fits/);
  expect(faultOf('autoscaling:SetDesiredCapacity', input)).toBe('DesiredCapacity must be a number');
  const rendered = { ...input, DesiredCapacity: '3' };
  expect(fit('autoscaling:SetDesiredCapacity', rendered)).toMatchObject({ DesiredCapacity: 3 });
});

test('a role is passed on only if that is allowed, wherever it stands', () => {
  const run = { taskDefinition: 'etl:3', overrides: { taskRoleArn: ROLE } };
  expect(faultOf('ecs:RunTask', run)).toBe(
    `overrides.taskRoleArn "${ROLE}" must not be passed on: the operator of this deployment can add it to passRoles`,
  );
  expect(faultOf('ecs:RunTask', run, { passRoles: [ROLE] })).toMatch(/^fits/);
  const templated = { ...run, overrides: { taskRoleArn: '{{ params.role }}' } };
  expect(faultOf('ecs:RunTask', templated, { isRendered: false })).toMatch(/^fits/);
  expect(faultOf('ecs:RunTask', templated)).toMatch(/must not be passed on/);
  const profile = { MinCount: 1, MaxCount: 1, IamInstanceProfile: { Name: 'admin' } };
  expect(faultOf('ec2:RunInstances', profile)).toMatch(/^IamInstanceProfile "admin" must not be passed on/);
});

test('a policy is refused, also as an attribute', () => {
  const attributes = { QueueUrl: 'q', Attributes: { Policy: '{}' } };
  expect(faultOf('sqs:SetQueueAttributes', attributes)).toBe(
    'Attributes.Policy is not allowed: a job must not give rights to anyone',
  );
  expect(faultOf('sqs:SetQueueAttributes', { QueueUrl: 'q', Attributes: { DelaySeconds: '9' } })).toMatch(/^fits/);
});

test.each(['quarterjack', 'quarterjack.x', 'aws.ec2'])('an event of %s is not forged', (Source) => {
  const entry = { Source, DetailType: 'execution.completed', Detail: '{}' };
  expect(faultOf('eventbridge:PutEvents', { Entries: [entry] })).toMatch(/^Entries\.0\.Source must not be/);
});

test('a token that makes repeated calls one is filled in, unless the job has its own', () => {
  const { clientToken } = fit('emrserverless:StartJobRun', { applicationId: 'a', executionRoleArn: ROLE }, { passRoles: [ROLE] });
  expect(clientToken).toBe('token of clientToken');
  const own = { applicationId: 'a', executionRoleArn: ROLE, clientToken: 'mine' };
  expect(fit('emrserverless:StartJobRun', own, { passRoles: [ROLE] }).clientToken).toBe('mine');
});

test('an action without input takes none', () => {
  expect(fit('databasemigrationservice:RunFleetAdvisorLsaAnalysis', {})).toEqual({});
  expect(faultOf('databasemigrationservice:RunFleetAdvisorLsaAnalysis', { all: true })).toBe(
    'all is not allowed: the action takes no input',
  );
});
