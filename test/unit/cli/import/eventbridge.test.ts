import { type AwsSchedule, importFromAws } from '../../../../cli/import/eventbridge/translate';
import { Session } from '../terminal-session';
import { awsSchedule, LAMBDA, withTarget } from './aws-schedule';

const NOW_MS = Date.parse('2026-11-21T08:00:00Z');

const one = (schedule: Partial<AwsSchedule>) => importFromAws([awsSchedule(schedule)], NOW_MS);
const scheduleOf = (ScheduleExpression: string, more: Partial<AwsSchedule> = {}) =>
  one({ ScheduleExpression, ...more }).jobs[0]?.definition.schedule;

test('a schedule becomes a job: expression, zone, target, input, retries', () => {
  expect(one({ Description: 'Daily\nreport' }).jobs).toEqual([
    {
      source: 'default/report',
      jobId: 'report',
      definition: {
        name: 'Daily report',
        schedule: {
          type: 'cron',
          expression: '0 9 * * MON,TUE,WED,THU,FRI',
          timezone: 'Europe/Berlin',
          dst: { gap: 'skip', overlap: 'first' },
        },
        target: { type: 'lambda', functionArn: LAMBDA },
        payload: { kind: 'daily' },
        retry: { maxAttempts: 5, maxAge: '3600s' },
        tags: { 'imported-from': 'eventbridge' },
      },
      notes: [],
    },
  ]);
});

const UTC = { ScheduleExpressionTimezone: 'UTC' };
const CRONS: [aws: string, cron: string][] = [
  ['cron(0/15 * * * ? *)', '0/15 * * * *'],
  ['cron(0 9 L * ? *)', '0 9 L * *'],
  ['cron(0 9 15W * ? *)', '0 9 15W * *'],
  ['cron(0 9 ? * 2-6 *)', '0 9 * * MON,TUE,WED,THU,FRI'],
  ['cron(0 9 ? * FRI-MON *)', '0 9 * * FRI,SAT,SUN,MON'],
  ['cron(0 9 ? * 1,7 *)', '0 9 * * SUN,SAT'],
  ['cron(0 9 ? * 2/2 *)', '0 9 * * MON,WED,FRI'],
  ['cron(0 9 ? * 2#1 *)', '0 9 * * MON#1'],
  ['cron(0 9 ? * 6L *)', '0 9 * * 5L'],
  ['cron(0 9 ? * L *)', '0 9 * * SAT'],
  ['cron(30 8 1 JAN,JUL ? 2027-2030)', '0 30 8 1 JAN,JUL * 2027-2030'],
];
test.each(CRONS)('%s means %s', (expression, cron) => {
  expect(scheduleOf(expression, UTC)).toEqual({ type: 'cron', expression: cron });
});

test('the translated expressions fire at the same times as those of AWS', async () => {
  const session = new Session();
  // Only AWS accepts a range that crosses the end of the week.
  for (const [aws, cron] of CRONS.filter(([one]) => !one.includes('FRI-MON'))) {
    const times = async (text: string) => (await session.json(`preview '${text}' --count 20`)).times;
    expect([cron, await times(cron)]).toEqual([cron, await times(aws)]);
  }
  session.end();
});

test('rates keep their phase, start, end and window', () => {
  const anchor = '2026-01-02T03:04:05.000Z';
  expect(scheduleOf('rate(5 minutes)')).toEqual({ type: 'interval', every: '5m', anchor });
  expect(scheduleOf('rate(1 hour)')).toEqual({ type: 'interval', every: '1h', anchor });
  const StartDate = new Date('2026-12-01T00:00:00Z');
  const EndDate = new Date('2026-12-31T00:00:00Z');
  const FlexibleTimeWindow = { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 15 };
  expect(scheduleOf('rate(2 days)', { StartDate, EndDate, FlexibleTimeWindow })).toEqual({
    type: 'interval',
    every: '2d',
    anchor: StartDate.toISOString(),
    startAt: StartDate.toISOString(),
    endAt: EndDate.toISOString(),
    jitter: '15m',
  });
});

test('a one-time schedule keeps its time zone', () => {
  expect(scheduleOf('at(2026-12-01T09:00:00)')).toEqual({
    type: 'at',
    at: '2026-12-01T09:00:00',
    timezone: 'Europe/Berlin',
  });
  expect(scheduleOf('at(2026-12-01T09:00:00)', UTC)).toEqual({ type: 'at', at: '2026-12-01T09:00:00Z' });
});

test('a disabled schedule is a paused job', () => {
  expect(one({ State: 'DISABLED' }).jobs[0]).toMatchObject({ paused: true });
});

test('the group is part of the jobId, and a duplicate jobId is rejected', () => {
  const { jobs, refused } = importFromAws(
    [
      awsSchedule(),
      awsSchedule({ GroupName: 'billing' }),
      awsSchedule({ Name: '_billing.report' }),
      awsSchedule({ Name: 'billing.report' }),
    ],
    NOW_MS,
  );
  expect(jobs.map(({ jobId }) => jobId)).toEqual(['report', 'billing.report']);
  expect(refused.map(({ source }) => source)).toEqual(['default/_billing.report', 'default/billing.report']);
});

const universal = (call: string, input: object) =>
  withTarget({ Arn: `arn:aws:scheduler:::aws-sdk:${call}`, Input: JSON.stringify(input) });
test.each<[string, Partial<AwsSchedule>, object, unknown?]>([
  [
    'sqs',
    withTarget({ Arn: 'arn:aws:sqs:us-east-1:111122223333:work' }),
    { type: 'sqs', queueUrl: 'https://sqs.us-east-1.amazonaws.com/111122223333/work' },
    { kind: 'daily' },
  ],
  [
    'sns',
    withTarget({ Arn: 'arn:aws:sns:us-east-1:111122223333:news' }),
    { type: 'sns', topicArn: 'arn:aws:sns:us-east-1:111122223333:news' },
    { kind: 'daily' },
  ],
  [
    'a bus',
    withTarget({
      Arn: 'arn:aws:events:us-east-1:111122223333:event-bus/default',
      EventBridgeParameters: { Source: 'me', DetailType: 'Tick' },
    }),
    {
      type: 'eventbridge',
      eventBusName: 'arn:aws:events:us-east-1:111122223333:event-bus/default',
      source: 'me',
      detailType: 'Tick',
    },
    { kind: 'daily' },
  ],
  [
    'a state machine',
    withTarget({ Arn: 'arn:aws:states:us-east-1:111122223333:stateMachine:m' }),
    { type: 'stepfunctions', stateMachineArn: 'arn:aws:states:us-east-1:111122223333:stateMachine:m' },
    { kind: 'daily' },
  ],
  [
    'a call of Lambda by name',
    universal('lambda:invoke', { FunctionName: 'report', Payload: '{"a":1}' }),
    { type: 'lambda', functionArn: LAMBDA },
    { a: 1 },
  ],
  [
    'an alias',
    withTarget({ Arn: `${LAMBDA}:live` }),
    { type: 'lambda', functionArn: `${LAMBDA}:live` },
    { kind: 'daily' },
  ],
  [
    'a call of a version by name',
    universal('lambda:invoke', { FunctionName: 'report', Qualifier: '7' }),
    { type: 'lambda', functionArn: `${LAMBDA}:7` },
  ],
  [
    'a call of an alias by ARN',
    universal('lambda:invoke', { FunctionName: `${LAMBDA}:live` }),
    { type: 'lambda', functionArn: `${LAMBDA}:live` },
  ],
  [
    'a call of a version by its name and its whole ARN',
    universal('lambda:invoke', { FunctionName: `${LAMBDA}:7`, Qualifier: '7' }),
    { type: 'lambda', functionArn: `${LAMBDA}:7` },
  ],
  [
    'a call of a function of another account by its partial ARN',
    universal('lambda:invoke', { FunctionName: '123456789012:function:f' }),
    { type: 'lambda', functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:f' },
  ],
  [
    'a call of an alias by its partial ARN',
    universal('lambda:invoke', { FunctionName: '123456789012:function:f:live' }),
    { type: 'lambda', functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:f:live' },
  ],
  [
    'a call by a whole ARN, of a schedule that is not yet in AWS',
    { ...universal('lambda:invoke', { FunctionName: LAMBDA }), Arn: undefined },
    { type: 'lambda', functionArn: LAMBDA },
  ],
  [
    'a call of SQS',
    universal('sqs:sendMessage', { QueueUrl: 'https://q', MessageBody: 'text' }),
    { type: 'sqs', queueUrl: 'https://q' },
    'text',
  ],
  [
    'a call of SNS',
    universal('sns:publish', { TopicArn: 'arn:t', Message: '[1]' }),
    { type: 'sns', topicArn: 'arn:t' },
    [1],
  ],
  [
    'a call of Step Functions',
    universal('sfn:startExecution', { StateMachineArn: 'arn:s', Input: '{}' }),
    { type: 'stepfunctions', stateMachineArn: 'arn:s' },
    {},
  ],
])('%s is a target', (...[, schedule, expected, payload]) => {
  const [job] = one(schedule).jobs;
  expect([job?.definition.target, job?.definition.payload]).toEqual([expected, payload]);
});

test('the entries that allowedTargetArns needs are those of what is called, each once', () => {
  const here = '111122223333';
  const { allowedTargetArns } = importFromAws(
    [
      withTarget({ Arn: `${LAMBDA}:live` }),
      withTarget({ Arn: `${LAMBDA}:live` }),
      withTarget({ Arn: 'arn:aws:kinesis:us-east-1:1:stream/c' }),
      withTarget({ Arn: `arn:aws:sqs:us-east-1:${here}:work` }),
      withTarget({
        Arn: `arn:aws:events:us-east-1:${here}:event-bus/shop`,
        EventBridgeParameters: { Source: 's', DetailType: 'd' },
      }),
      universal('lambda:invoke', { FunctionName: 'report', Qualifier: '7' }),
      universal('sqs:sendMessage', { QueueUrl: `https://sqs.us-east-1.amazonaws.com/${here}/jobs` }),
      universal('sns:publish', { TopicArn: `arn:aws:sns:us-east-1:${here}:news` }),
      universal('sfn:startExecution', { StateMachineArn: `arn:aws:states:us-east-1:${here}:stateMachine:m` }),
    ].map((one, index) => awsSchedule({ Name: `s${index}`, ...one })),
    NOW_MS,
  );
  expect(allowedTargetArns).toEqual([
    `${LAMBDA}:live`,
    `arn:aws:sqs:us-east-1:${here}:work`,
    `arn:aws:events:us-east-1:${here}:event-bus/shop`,
    `${LAMBDA}:7`,
    `arn:aws:sqs:us-east-1:${here}:jobs`,
    `arn:aws:sns:us-east-1:${here}:news`,
    `arn:aws:states:us-east-1:${here}:stateMachine:m`,
  ]);
});

test.each<[Partial<AwsSchedule>, RegExp]>([
  [
    { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 10 } },
    /flexible window of 10 min becomes an offset/,
  ],
  [
    {
      ScheduleExpression: 'at(2027-01-01T00:00:00)',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 10 },
    },
    /10 min is not imported/,
  ],
  [{ ScheduleExpression: 'cron(*/10 * * * ? *)' }, /fires in both passes/],
  [withTarget({ RetryPolicy: undefined }), /185 retries become 100 attempts/],
  [withTarget({ DeadLetterConfig: { Arn: 'arn:dlq' } }), /dead-letter queue arn:dlq is not imported/],
  [withTarget({ Input: 'plain text' }), /text, not JSON/],
  [withTarget({ Input: '{"at":"<aws.scheduler.scheduled-time>"}' }), /<aws\.scheduler…> attributes/],
  [
    withTarget({ Arn: 'arn:aws:sqs:us-east-1:1:q.fifo', SqsParameters: { MessageGroupId: 'g' } }),
    /message group "g"/,
  ],
  [{ KmsKeyArn: 'arn:kms' }, /key arn:kms is not imported/],
])('%j has a note', (schedule, note) => {
  expect(one(schedule).jobs[0]?.notes).toEqual([expect.stringMatching(note)]);
});

test.each<[Partial<AwsSchedule>, RegExp]>([
  [{ ScheduleExpression: 'at(2026-11-01T09:00:00)' }, /is in the past/],
  [{ EndDate: new Date('2026-11-20T00:00:00Z') }, /it ended at 2026-11-20/],
  [{ ScheduleExpression: 'cron(0 9 * * *)' }, /has 5 fields, not 6/],
  [{ ScheduleExpression: 'cron(0 9 ? * 8 *)' }, /day of week "8"/],
  [{ ScheduleExpression: 'rate(5 weeks)' }, /invalid/],
  [{ ScheduleExpression: 'often' }, /is not rate\(…\), cron\(…\) or at\(…\)/],
  [withTarget({ Arn: 'arn:aws:inspector:us-east-1:1:target/c' }), /is not supported: use a Lambda function/],
  [universal('ec2:describeInstances', {}), /calls ec2:describeInstances, and no target may call it: it only/],
  [universal('iam:createUser', {}), /calls iam:createUser, and no target may call that service/],
  [withTarget({ Arn: 'nonsense' }), /not an ARN/],
  // Lambda may read these as an account or a function, or as a name with an alias.
  [universal('lambda:invoke', { FunctionName: '123456789012:f' }), /"123456789012:f" is not a whole ARN/],
  [universal('lambda:invoke', { FunctionName: 'function:f' }), /"function:f" is not a whole ARN/],
  [
    universal('lambda:invoke', { FunctionName: `${LAMBDA}:live`, Qualifier: '7' }),
    /:live:7" is not a whole ARN/,
  ],
  [universal('lambda:invoke', { FunctionName: 'a b' }), /"a b" is not a whole ARN/],
  [
    { ...universal('lambda:invoke', { FunctionName: 'report' }), Arn: undefined },
    /"report" is not a whole ARN/,
  ],
  [universal('lambda:invoke', {}), /has no FunctionName/],
])('%j cannot be imported', (schedule, reason) => {
  const { jobs, refused } = one(schedule);
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'default/report', reason: expect.stringMatching(reason) as string }]);
});
