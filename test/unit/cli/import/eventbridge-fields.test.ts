import { importFromAws } from '../../../../cli/import/eventbridge/translate';
import { awsSchedule, withTarget } from './aws-schedule';

type Schedule = ReturnType<typeof awsSchedule>;
const NOW_MS = Date.parse('2026-11-21T08:00:00Z');
const one = (more: object) => importFromAws([awsSchedule(more as Partial<Schedule>)], NOW_MS);
const definitionOf = (more: object) => one(more).jobs[0]?.definition;

/** The fields of what GetSchedule returns and CreateSchedule takes, as the SDK has them. */
const OF_AWS: Required<Record<keyof Schedule | 'ClientToken', unknown>> = {
  Arn: 'arn:aws:scheduler:us-east-1:111122223333:schedule/default/report',
  Name: 'other',
  GroupName: 'billing',
  Description: 'text',
  ScheduleExpression: 'rate(5 minutes)',
  ScheduleExpressionTimezone: 'Asia/Tokyo',
  StartDate: new Date('2026-12-01T00:00:00Z'),
  EndDate: new Date('2026-12-02T00:00:00Z'),
  State: 'DISABLED',
  FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 },
  KmsKeyArn: 'arn:kms',
  ActionAfterCompletion: 'DELETE',
  Target: withTarget({ Arn: 'arn:aws:sns:us-east-1:111122223333:news' }).Target,
  CreationDate: new Date('2026-01-01T00:00:00Z'),
  LastModificationDate: new Date('2026-01-01T00:00:00Z'),
  ClientToken: 'a',
};
/** What changes no run. An ARN matters to a call by a name, a creation to a rate. */
const SILENT = ['Arn', 'CreationDate', 'LastModificationDate', 'ClientToken'];

test('each field of a schedule is mapped, has a note, or changes no run', () => {
  const plain = one({});
  const same = Object.keys(OF_AWS).filter((field) => {
    const { jobs, refused } = one({ [field]: OF_AWS[field as keyof typeof OF_AWS] });
    return JSON.stringify([jobs, refused]) === JSON.stringify([plain.jobs, plain.refused]);
  });
  expect(same.sort()).toEqual([...SILENT].sort());
});

const BUS = {
  Arn: 'arn:aws:events:us-east-1:111122223333:event-bus/shop',
  EventBridgeParameters: { Source: 'me', DetailType: 'Tick' },
};
test.each<[string, object, RegExp]>([
  [
    'EcsParameters',
    { Arn: 'arn:aws:ecs:us-east-1:1:cluster/c', EcsParameters: {} },
    /it has no TaskDefinitionArn/,
  ],
  ...[
    ...['EcsParameters', 'KinesisParameters', 'SageMakerPipelineParameters', 'HttpParameters', 'InputPath'],
    ...[
      'InputTransformer',
      'AppSyncParameters',
      'RedshiftDataParameters',
      'BatchParameters',
      'RunCommandParameters',
    ],
  ].map((name): [string, object, RegExp] => [
    name,
    { [name]: { a: 1 } },
    new RegExp(`its Target.${name} is no field that this import knows`),
  ]),
  ['a field of a policy', { RetryPolicy: { Jitter: 1 } }, /Target.RetryPolicy.Jitter is no field/],
  ['a text as a number', { RetryPolicy: { MaximumRetryAttempts: '4' } }, /"4", and no whole number/],
  ['no Source', { ...BUS, EventBridgeParameters: { DetailType: 'a' } }, /it has no Source/],
  ['no DetailType', { ...BUS, EventBridgeParameters: { Source: 'a' } }, /it has no DetailType/],
  ['a queue elsewhere', { Arn: 'arn:aws-iso:sqs:us-iso-east-1:111122223333:q' }, /URL of its queue/],
  ['a large number', { Input: '{"id":12345678901234567890}' }, /the number 12345678901234567890, which/],
  ['an infinite number', { Input: '[1e999]' }, /the number 1e999, which/],
])('of a target, %s is refused by its name', (_name, target, reason) => {
  const { jobs, refused } = one(withTarget(target));
  expect([jobs, refused]).toEqual([
    [],
    [{ source: 'default/report', reason: expect.stringMatching(reason) as string }],
  ]);
});

test.each<[object, RegExp]>([
  [{ State: 'disabled' }, /its State is "disabled", and none of ENABLED, DISABLED/],
  [{ ActionAfterCompletion: 'ARCHIVE' }, /its ActionAfterCompletion is "ARCHIVE"/],
  [{ FlexibleTimeWindow: { Mode: 'ON' } }, /its FlexibleTimeWindow.Mode is "ON"/],
  [{ EventPattern: '{}' }, /its EventPattern is no field/],
])('%j is refused by its name', (more, reason) => {
  expect(one(more).refused).toEqual([
    { source: 'default/report', reason: expect.stringMatching(reason) as string },
  ]);
});

test.each<[object, RegExp]>([
  [{ ActionAfterCompletion: 'DELETE' }, /AWS deletes it once it has ended/],
  [{ Description: 'a'.repeat(300) }, /only the first 256 characters/],
  [withTarget({ Input: undefined }), /AWS sends a default notification instead, a delivery sends {}/],
])('%j has a note', (more, note) => {
  expect(one(more).jobs[0]?.notes).toEqual([expect.stringMatching(note)]);
});

test('a field that is null is absent, and long numbers that stay are kept', () => {
  expect(one({ KmsKeyArn: null, Extra: null })).toEqual(one({}));
  expect(
    definitionOf(withTarget({ Input: '{"a":9007199254740991,"t":"12345678901234567890"}' })),
  ).toMatchObject({
    payload: { a: 9_007_199_254_740_991, t: '12345678901234567890' },
  });
});

test('a retry policy, and the fields of a bus, are mapped', () => {
  const RetryPolicy = { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 120 };
  expect(definitionOf(withTarget({ ...BUS, RetryPolicy }))).toMatchObject({
    target: { type: 'eventbridge', source: 'me', detailType: 'Tick' },
    retry: { maxAttempts: 3, maxAge: '120s' },
  });
});

const LAMBDA_CALL = { FunctionName: 'report' };
const MESSAGE = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/111122223333/q', MessageBody: '{}' };
const START = { StateMachineArn: 'arn:s' };
const calls = (call: string, input: object) =>
  one(withTarget({ Arn: `arn:aws:scheduler:::aws-sdk:${call}`, Input: JSON.stringify(input) }));

test.each<[string, object, RegExp]>([
  ['lambda:invoke', { ...LAMBDA_CALL, InvocationType: 'DryRun' }, /a dry run/],
  ['lambda:invoke', { ...LAMBDA_CALL, ClientContext: 'e30=' }, /ClientContext is where a delivery/],
  ['lambda:invoke', { ...LAMBDA_CALL, TenantId: 'a' }, /TenantId is no field/],
  ['sqs:sendMessage', { ...MESSAGE, DelaySeconds: 5 }, /DelaySeconds has no counterpart/],
  ['sqs:sendMessage', { ...MESSAGE, MessageAttributes: {} }, /MessageAttributes has no counterpart/],
  ['sqs:sendMessage', { MessageBody: '{}' }, /it has no QueueUrl/],
  ['sns:publish', { TopicArn: 'arn:t', Message: '{}', Subject: 'a' }, /Subject has no counterpart/],
  ['sns:publish', { PhoneNumber: '+1', Message: '{}' }, /PhoneNumber has no counterpart/],
  ['sfn:startExecution', { Input: '{}' }, /it has no StateMachineArn/],
])('a call of %s with %j is refused by name', (call, input, reason) => {
  expect(calls(call, input).refused).toEqual([
    { source: 'default/report', reason: expect.stringMatching(reason) as string },
  ]);
});

test.each<[string, object, RegExp[]]>([
  ['lambda:invoke', { ...LAMBDA_CALL, InvocationType: 'Event', LogType: 'Tail' }, []],
  ['sqs:sendMessage', { ...MESSAGE, MessageGroupId: 'g' }, [/its MessageGroupId "g" is not imported/]],
  ['sqs:sendMessage', { ...MESSAGE, MessageBody: 'a text' }, [/text, not JSON/]],
  ['sfn:startExecution', { ...START, Name: 'a' }, [/its Name "a" is not imported/]],
])('a call of %s with %j is imported with notes', (call, input, notes) => {
  expect(calls(call, input).jobs[0]?.notes).toEqual(
    notes.map((note) => expect.stringMatching(note) as string),
  );
});
