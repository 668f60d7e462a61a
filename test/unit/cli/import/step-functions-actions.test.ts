import { WorkflowBody } from '../../../../lambdas/core/http/workflow';
import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';

// States that call a service of AWS by its SDK: each is a task with that action.

type Json = Record<string, unknown>;
const sdk = (call: string, fields: Json): Json => ({
  Type: 'Task',
  Resource: `arn:aws:states:::aws-sdk:${call}`,
  ...fields,
});
const STREAM = 'arn:aws:kinesis:eu-central-1:111122223333:stream/target-invoices';
const imported = (States: Record<string, Json>) => {
  const StartAt = Object.keys(States)[0];
  const { jobs, ...rest } = importFromStepFunctions({ StartAt, States }, 'm.asl.json', 'm');
  return { ...rest, tasks: (jobs[0]?.definition.workflow as { tasks: Record<string, Json> })?.tasks, jobs };
};

test('a call by the SDK is a task with that action, its arguments and its retries', () => {
  const { refused, tasks, jobs, allowedActions } = imported({
    Put: sdk('kinesis:putRecord', {
      Parameters: { StreamARN: STREAM, 'PartitionKey.$': '$.customer', Data: '{{raw}}' },
      Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2 }],
      ResultPath: null,
      Next: 'Stop',
    }),
    Stop: sdk('rds:stopDBCluster', { Parameters: { 'DbClusterIdentifier.$': '$.cluster' }, End: true }),
  });
  expect(refused).toEqual([]);
  expect(WorkflowBody.safeParse(jobs[0]!.definition.workflow).error?.issues).toBeUndefined();
  expect(tasks).toMatchObject({
    Put: {
      target: {
        type: 'aws',
        action: 'kinesis:PutRecord',
        input: { StreamARN: STREAM, PartitionKey: '{{ params.input.customer }}', Data: '{{{{raw}}' },
      },
      retry: { maxAttempts: 3 },
    },
    Stop: {
      target: {
        action: 'rds:StopDBCluster',
        input: { DbClusterIdentifier: '{{ params.input.cluster }}' },
      },
      dependsOn: [{ task: 'Put' }],
    },
  });
  expect(tasks.Put).not.toHaveProperty('input');
  expect(allowedActions).toEqual([
    { action: 'kinesis:PutRecord', resources: [STREAM] },
    { action: 'rds:StopDBCluster', resources: [] },
  ]);
});

test('items of a Map call it with their item', () => {
  const { refused, tasks } = imported({
    Each: {
      Type: 'Map',
      ItemsPath: '$.hosts',
      ToleratedFailurePercentage: 100,
      ItemProcessor: {
        StartAt: 'Stop',
        States: { Stop: sdk('ec2:stopInstances', { Parameters: { 'InstanceIds.$': '$.ids' }, End: true }) },
      },
      End: true,
    },
  });
  expect(refused).toEqual([]);
  expect(tasks.Each).toMatchObject({
    target: { type: 'aws', action: 'ec2:StopInstances', input: { InstanceIds: '{{ item.ids }}' } },
    forEach: { items: '{{ params.input.hosts }}' },
  });
});

test.each([
  [
    'reads alone',
    'kinesis:describeStream',
    { StreamName: 'a' },
    /calls kinesis:describeStream, and .*only reads/,
  ],
  [
    'is of a service that targets cannot call',
    'iam:createUser',
    { UserName: 'a' },
    /no target may call that service/,
  ],
  ['takes the whole input', 'kinesis:putRecord', undefined, /name its arguments in Parameters/],
  [
    'waits for a token',
    'sqs:sendMessage.waitForTaskToken',
    { QueueUrl: 'a' },
    /use a target with mode async/,
  ],
])('a call that %s is named', (_, call, Parameters, reason) => {
  const { refused, jobs } = imported({ One: sdk(call, { ...(Parameters && { Parameters }), End: true }) });
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'm.asl.json: One', reason: expect.stringMatching(reason) }]);
});

test('a state that reads the answer of such a call is named', () => {
  const { refused } = imported({
    Put: sdk('kinesis:putRecord', { Parameters: { StreamARN: STREAM }, ResultPath: '$.put', Next: 'Tell' }),
    Tell: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:eu-central-1:111122223333:function:target-tell',
      Parameters: { 'number.$': '$.put.SequenceNumber' },
      End: true,
    },
  });
  expect(refused).toEqual([
    { source: 'm.asl.json: Tell', reason: expect.stringMatching(/answer of an action has the names/) },
  ]);
});
