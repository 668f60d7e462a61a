import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';

import { type AwsSchedule, importFromAws } from '../../../../cli/import/eventbridge/translate';
import { Session } from '../terminal-session';

const NOW_MS = Date.parse('2026-11-21T08:00:00Z');
const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function:report';

const aws = (schedule: Partial<AwsSchedule> = {}): AwsSchedule => ({
  Arn: 'arn:aws:scheduler:eu-central-1:111122223333:schedule/default/report',
  Name: 'report',
  GroupName: 'default',
  ScheduleExpression: 'cron(0 9 ? * MON-FRI *)',
  ScheduleExpressionTimezone: 'Europe/Berlin',
  FlexibleTimeWindow: { Mode: 'OFF' },
  State: 'ENABLED',
  CreationDate: new Date('2026-01-02T03:04:05Z'),
  Target: {
    Arn: LAMBDA,
    RoleArn: 'arn:aws:iam::111122223333:role/r',
    Input: '{"kind":"daily"}',
    RetryPolicy: { MaximumRetryAttempts: 4, MaximumEventAgeInSeconds: 3_600 },
  },
  ...schedule,
});
const target = (more: object): Partial<AwsSchedule> => ({
  Target: { ...aws().Target!, Input: undefined, ...more },
});
const one = (schedule: Partial<AwsSchedule>) => importFromAws([aws(schedule)], NOW_MS);
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

test('what AWS calls by that expression fires at the same times here', async () => {
  const session = new Session();
  // A range that runs over the end of the week is AWS's alone.
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

test('a one-time schedule is in its zone', () => {
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

test('groups keep names apart, and two of one name are not one job', () => {
  const { jobs, refused } = importFromAws(
    [aws(), aws({ GroupName: 'billing' }), aws({ Name: '_billing.report' }), aws({ Name: 'billing.report' })],
    NOW_MS,
  );
  expect(jobs.map(({ jobId }) => jobId)).toEqual(['report', 'billing.report']);
  expect(refused.map(({ source }) => source)).toEqual(['default/_billing.report', 'default/billing.report']);
});

const universal = (call: string, input: object) =>
  target({ Arn: `arn:aws:scheduler:::aws-sdk:${call}`, Input: JSON.stringify(input) });
test.each<[string, Partial<AwsSchedule>, object, unknown?]>([
  [
    'sqs',
    target({ Arn: 'arn:aws:sqs:us-east-1:111122223333:work' }),
    { type: 'sqs', queueUrl: 'https://sqs.us-east-1.amazonaws.com/111122223333/work' },
  ],
  [
    'sns',
    target({ Arn: 'arn:aws:sns:us-east-1:111122223333:news' }),
    { type: 'sns', topicArn: 'arn:aws:sns:us-east-1:111122223333:news' },
  ],
  [
    'a bus',
    target({
      Arn: 'arn:aws:events:us-east-1:111122223333:event-bus/default',
      EventBridgeParameters: { Source: 'me', DetailType: 'Tick' },
    }),
    { type: 'eventbridge', eventBusName: 'default', source: 'me', detailType: 'Tick' },
  ],
  [
    'a state machine',
    target({ Arn: 'arn:aws:states:us-east-1:111122223333:stateMachine:m' }),
    { type: 'stepfunctions', stateMachineArn: 'arn:aws:states:us-east-1:111122223333:stateMachine:m' },
  ],
  [
    'a call of Lambda by name',
    universal('lambda:invoke', { FunctionName: 'report', Payload: '{"a":1}' }),
    { type: 'lambda', functionArn: LAMBDA },
    { a: 1 },
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
    /10 min is left behind/,
  ],
  [{ ScheduleExpression: 'cron(*/10 * * * ? *)' }, /fires in both passes/],
  [target({ RetryPolicy: undefined }), /185 retries become 100 attempts/],
  [target({ DeadLetterConfig: { Arn: 'arn:dlq' } }), /dead-letter queue arn:dlq is left behind/],
  [target({ Input: 'plain text' }), /text, not JSON/],
  [target({ Input: '{"at":"<aws.scheduler.scheduled-time>"}' }), /<aws\.scheduler…> attributes/],
  [
    target({ Arn: 'arn:aws:sqs:us-east-1:1:q.fifo', SqsParameters: { MessageGroupId: 'g' } }),
    /message group "g"/,
  ],
  [{ KmsKeyArn: 'arn:kms' }, /key arn:kms is left behind/],
])('%j has a note', (schedule, note) => {
  expect(one(schedule).jobs[0]?.notes).toEqual([expect.stringMatching(note)]);
});

test.each<[Partial<AwsSchedule>, RegExp]>([
  [{ ScheduleExpression: 'at(2026-11-01T09:00:00)' }, /is over/],
  [{ EndDate: new Date('2026-11-20T00:00:00Z') }, /it ended at 2026-11-20/],
  [{ ScheduleExpression: 'cron(0 9 * * *)' }, /has 5 fields, not 6/],
  [{ ScheduleExpression: 'cron(0 9 ? * 8 *)' }, /day of week "8"/],
  [{ ScheduleExpression: 'rate(5 weeks)' }, /unreadable/],
  [{ ScheduleExpression: 'often' }, /none of rate, cron and at/],
  [target({ Arn: 'arn:aws:ecs:us-east-1:1:cluster/c' }), /no counterpart: let a Lambda function/],
  [universal('ec2:stopInstances', {}), /calls ec2:stopInstances/],
  [target({ Arn: 'nonsense' }), /no ARN/],
])('%j cannot be carried over', (schedule, reason) => {
  const { jobs, refused } = one(schedule);
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'default/report', reason: expect.stringMatching(reason) as string }]);
});

describe('the command', () => {
  const scheduler = mockClient(SchedulerClient);
  let session: Session;
  beforeEach(() => {
    session = new Session();
    scheduler.reset();
    // Three pages; each schedule is one of HTTP's own making, since the API of this test calls URLs alone.
    const page = (names: string[], NextToken?: string) => ({
      Schedules: names.map((Name) => ({ Name, GroupName: 'default' })),
      NextToken,
    });
    scheduler
      .on(ListSchedulesCommand)
      .resolvesOnce(page(['report', 'gone'], 't1'))
      .resolvesOnce(page([], 't2'))
      .resolvesOnce(page(['ecs', 'heartbeat']));
    scheduler.on(GetScheduleCommand, { Name: 'report' }).resolves(aws());
    scheduler
      .on(GetScheduleCommand, { Name: 'gone' })
      .rejects(new ResourceNotFoundException({ $metadata: {}, message: 'gone', Message: 'gone' }));
    scheduler
      .on(GetScheduleCommand, { Name: 'ecs' })
      .resolves(aws({ Name: 'ecs', ...target({ Arn: 'arn:aws:ecs:us-east-1:1:cluster/c' }) }));
    scheduler
      .on(GetScheduleCommand, { Name: 'heartbeat' })
      .resolves(aws({ Name: 'heartbeat', ScheduleExpression: 'rate(5 minutes)', State: 'DISABLED' }));
  });
  afterEach(() => session.end());

  test('shows what it would do, from all pages, and does nothing', async () => {
    const { stdout, stderr, exitCode } = await session.run(
      'import eventbridge --region eu-central-1 --group default',
    );
    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      `+ report  0 9 * * MON,TUE,WED,THU,FRI Europe/…  default/report
+ heartbeat  every 5m, paused  default/heartbeat
x default/ecs  its target arn:aws:ecs:us-east-1:1:cluster/c has no counterpart: let a Lambda function or a state machine do it, and call that

2 can be carried over, 1 cannot.
`.replace('Europe/…', 'Europe/Berlin'),
    );
    expect(stderr).toBe('Nothing was made: --apply does it, --out FILE writes it for plan and apply.\n');
    expect(session.requests).toEqual([]);
    expect(scheduler.commandCalls(ListSchedulesCommand)[2]?.args[0].input).toMatchObject({
      NextToken: 't2',
      GroupName: 'default',
    });
  });

  test('writes a file that plan reads', async () => {
    const file = join(session.home, 'jobs.yaml');
    await session.run(`import eventbridge --out ${file}`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# default/report');
    expect(text).toContain('# default/ecs: its target');
    writeFileSync(
      file,
      text.replaceAll(/type: lambda\n\s+functionArn: .*/g, 'type: http\n      url: https://example.com'),
    );
    expect((await session.run(`apply ${file}`)).stdout).toContain('Done: 2 of 2.');
    expect(await session.json('jobs get heartbeat')).toMatchObject({ status: 'paused' });
  });

  test('makes the jobs with --apply, and says which the API refuses', async () => {
    scheduler
      .on(GetScheduleCommand, { Name: 'heartbeat' })
      .resolves(aws({ Name: 'heartbeat', ScheduleExpression: 'cron(99 9 * * ? *)' }));
    const { stdout, exitCode } = await session.run('import eventbridge --apply');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/x default\/heartbeat +schedule\.expression: .*99/);
    expect(stdout).toContain('1 to add');
  });

  test('--out and --apply exclude each other', async () => {
    expect(await session.run('import eventbridge --out a --apply')).toMatchObject({ exitCode: 3 });
  });
});
