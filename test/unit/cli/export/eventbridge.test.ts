import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

const ROLE = 'arn:aws:iam::111122223333:role/scheduler';
const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:target-a';
const LAMBDA = { type: 'lambda', functionArn: ARN };
const CRON = { type: 'cron', expression: '0 9 * * MON-FRI' };

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const put = async (jobId: string, definition: object): Promise<void> => {
  const { status, body } = await session.world.call('PUT /v1/jobs/{jobId}', { jobId }, definition);
  expect([Math.floor(status / 100), body.errors]).toEqual([2, undefined]);
};
const exported = async (flags = '') => session.run(`export eventbridge --role-arn ${ROLE} ${flags}`);

/** The exported schedule of one job. */
async function one(
  definition: object,
): Promise<{ schedule: Record<string, unknown> | undefined; stderr: string }> {
  await put('a', { schedule: CRON, target: LAMBDA, ...definition });
  const { stdout, stderr } = await exported();
  return { schedule: (JSON.parse(stdout) as { Schedules: Record<string, unknown>[] }).Schedules[0], stderr };
}

test('a job becomes what create-schedule takes', async () => {
  const { schedule, stderr } = await one({
    name: 'Daily report',
    payload: { a: 1 },
    retry: { maxAttempts: 5, maxAge: '1h' },
  });
  expect([schedule, stderr]).toEqual([
    {
      Name: 'a',
      GroupName: 'default',
      Description: 'Daily report',
      ScheduleExpression: 'cron(0 9 ? * MON,TUE,WED,THU,FRI *)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        Arn: ARN,
        RoleArn: ROLE,
        Input: '{"a":1}',
        RetryPolicy: { MaximumRetryAttempts: 4, MaximumEventAgeInSeconds: 3_600 },
      },
    },
    '',
  ]);
});

test.each([
  ['@daily', 'cron(0 0 * * ? *)'],
  ['*/15 8-18/2 * * *', 'cron(0/15 8,10,12,14,16,18 * * ? *)'],
  ['0 9 1,15 * ?', 'cron(0 9 1,15 * ? *)'],
  ['0 9 * * 5L', 'cron(0 9 ? * 6L *)'],
  ['0 9 * * 7', 'cron(0 9 ? * SUN *)'],
  ['0 9 * * 1/2', 'cron(0 9 ? * MON,WED,FRI,SUN *)'],
  ['0 9 * * */2', 'cron(0 9 ? * SUN,TUE,THU,SAT *)'],
  ['0 0 9 1 JAN * 2027-2030', 'cron(0 9 1 JAN ? 2027-2030)'],
])('%s is %s there, which fires at the same times', async (expression, aws) => {
  const { schedule } = await one({ schedule: { type: 'cron', expression } });
  expect(schedule).toMatchObject({ ScheduleExpression: aws });
  const times = async (text: string) => (await session.json(`preview '${text}' --count 30`)).times;
  expect(await times(aws)).toEqual(await times(expression));
});

test('an interval goes on in its phase, in minutes, hours or days', async () => {
  const anchor = '2026-11-30T00:01:00Z';
  expect((await one({ schedule: { type: 'interval', every: '1h30m', anchor } })).schedule).toMatchObject({
    ScheduleExpression: 'rate(90 minutes)',
    StartDate: '2026-12-01T09:01:00.000Z',
  });
  expect((await one({ schedule: 'rate(1 day)' })).schedule).toMatchObject({
    ScheduleExpression: 'rate(1 day)',
    StartDate: '2026-12-02T08:30:00.000Z',
  });
});

test.each<[object, string]>([
  [
    { schedule: { type: 'at', at: '2027-01-01T09:00:00', timezone: 'Europe/Berlin' } },
    'at(2027-01-01T09:00:00) Europe/Berlin',
  ],
  [{ schedule: { type: 'at', at: '2027-01-01T09:00:00+02:00' } }, 'at(2027-01-01T07:00:00) UTC'],
  [{ schedule: { type: 'delay', delay: '1h' } }, 'at(2026-12-01T09:30:00) UTC'],
])('%j is one time: %s', async (definition, text) => {
  const { schedule } = await one(definition);
  expect(`${String(schedule?.ScheduleExpression)} ${String(schedule?.ScheduleExpressionTimezone)}`).toBe(
    text,
  );
});

test.each<[object, string]>([
  [{ schedule: { type: 'none' } }, 'its schedule of type none has no times of its own'],
  [{ schedule: { type: 'interval', every: '30s' } }, 'its interval 30s is not a whole number of minutes'],
  [{ schedule: { type: 'interval', every: 'P1M' } }, 'its length P1M is none in minutes, hours or days'],
  [{ schedule: { ...CRON, exclude: ['2026-12-24'] } }, 'its schedule excludes times'],
  [{ schedule: { ...CRON, maxRuns: 3 } }, 'its schedule ends after maxRuns'],
  [{ schedule: { ...CRON, jitter: '30s' } }, 'its jitter 30s is not a whole number of minutes'],
  [{ schedule: { type: 'cron', expression: '30 0 9 * * *' } }, 'has seconds'],
  [{ schedule: { type: 'cron', expression: '0 9 1 * MON' } }, 'has both a day of the month and of the week'],
  [{ schedule: { type: 'cron', expression: '0 9 LW * *' } }, 'which EventBridge Scheduler does not describe'],
  [{ target: { type: 'http', url: 'https://example.com' } }, 'its target has the type http'],
  [{ target: { ...LAMBDA, mode: 'async' } }, 'its target has the mode async'],
  [
    {
      target: {
        type: 'stepfunctions',
        stateMachineArn: 'arn:aws:states:eu-central-1:111122223333:stateMachine:target-a',
        wait: true,
      },
    },
    'its target waits for the end of an execution',
  ],
  [
    {
      target: { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-a.fifo' },
    },
    'a FIFO queue',
  ],
  [
    { target: { type: 'eventbridge', eventBusName: 'target-a', source: 'a', detailType: 'b' }, payload: {} },
    'is no ARN',
  ],
  [{ target: undefined, targets: [LAMBDA, LAMBDA] }, 'it has several targets'],
  [{ target: undefined, workflow: { tasks: { a: { target: LAMBDA } } } }, 'it has a workflow'],
  [{ payload: '{{ run.day }}', templates: true }, 'its payload is a template'],
  [{ overlap: 'skip' }, 'its executions may not overlap'],
  [{ orderingKey: 'a' }, 'its executions keep the order of an ordering key'],
  [{ onEnd: { failed: LAMBDA } }, 'it calls targets of onEnd'],
])('%j is refused by name: %s', async (definition, reason) => {
  await put('good', { schedule: CRON, target: LAMBDA });
  const { schedule, stderr } = await one(definition);
  expect(schedule).toMatchObject({ Name: 'good' });
  expect(stderr).toMatch(/^Not exported: a: /);
  expect(stderr).toContain(reason);
  expect((await exported()).exitCode).toBe(1);
});

test.each<[object, string]>([
  [
    { schedule: { ...CRON, timezone: 'Europe/Berlin' } },
    'a time that a clock change skips does not fire there',
  ],
  [{ schedule: { ...CRON, jitter: '15m' } }, 'becomes a flexible window'],
  [{ retry: { maxAge: '2d' } }, 'its maxAge 2d becomes 86400 s'],
  [{ retry: { initialDelay: '1m' } }, 'its delays between attempts become those of EventBridge Scheduler'],
  [{ priority: 'high' }, 'its priority has no counterpart there'],
  [{ misfire: { policy: 'skip' } }, 'its misfire has no counterpart there'],
  [{ pauseAfter: { failures: 3 } }, 'its pauseAfter has no counterpart there'],
  [{ tags: { team: 'a' } }, 'its tags have no counterpart there'],
  [{ payload: '<aws.scheduler.execution-id>' }, 'EventBridge Scheduler replaces'],
])('%j is exported with a note: %s', async (definition, note) => {
  const { schedule, stderr } = await one(definition);
  expect(schedule).toMatchObject({ Name: 'a' });
  expect(stderr).toMatch(/^Note: /);
  expect(stderr).toContain(note);
  expect((await exported()).exitCode).toBe(0);
});

test('a paused job is disabled, groups have a name, and the file is private', async () => {
  await put('a', { schedule: CRON, target: LAMBDA });
  await session.run('jobs pause a');
  const path = join(session.home, 'schedules.json');
  const { stdout, stderr } = await exported(`--group billing --out ${path}`);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('Wrote 1 schedule to ')]);
  const { Schedules } = JSON.parse(readFileSync(path, 'utf8')) as { Schedules: object[] };
  expect(Schedules).toMatchObject([{ GroupName: 'billing', State: 'DISABLED' }]);
});

test('--json has the reasons in the document', async () => {
  await put('a', { schedule: { type: 'none' }, target: LAMBDA });
  expect(JSON.parse((await exported('--json')).stdout)).toMatchObject({
    Schedules: [],
    refused: [{ jobId: 'a' }],
  });
});

test('the role is needed, and is an ARN', async () => {
  expect((await session.run('export eventbridge')).exitCode).toBe(3);
  const wrong = await session.run('export eventbridge --role-arn scheduler');
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    3,
    expect.stringContaining('--role-arn is "scheduler"; expected'),
  ]);
});

test('what is exported can be imported from its file, and gives the same jobs', async () => {
  await put('a', { schedule: CRON, target: LAMBDA, payload: { a: 1 } });
  const path = join(session.home, 'schedules.json');
  await exported(`--out ${path}`);
  const { jobs, refused } = await session.json(`import eventbridge ${path}`);
  expect(refused).toEqual([]);
  expect(jobs).toMatchObject([
    {
      jobId: 'a',
      definition: {
        schedule: { type: 'cron', expression: '0 9 * * MON,TUE,WED,THU,FRI' },
        target: LAMBDA,
        payload: { a: 1 },
      },
    },
  ]);
});

test.each([
  [
    '{ "Schedules": [{ "Name": "a", "Target": { "Arn": "a" } }] }',
    'it has no ScheduleExpression: list-schedules leaves it out',
  ],
  ['{ "jobs": [] }', 'expected schedules as aws scheduler get-schedule prints them'],
])('import eventbridge refuses %s', async (text, message) => {
  const { exitCode, stderr } = await session.run('import eventbridge -', { stdin: text });
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
});

test.each([
  ['StartDate', '2026-13-40', 'its StartDate is "2026-13-40", and no date'],
  ['EndDate', 1e20, 'its EndDate is 100000000000000000000, and no date'],
  ['CreationDate', true, 'its CreationDate is true, and no date'],
])('import eventbridge refuses a schedule with a %s of %j by its name', async (field, value, reason) => {
  await put('a', { schedule: CRON, target: LAMBDA, payload: { a: 1 } });
  const { stdout } = await exported('');
  const { Schedules } = JSON.parse(stdout) as { Schedules: object[] };
  const stdin = JSON.stringify({ Schedules: [{ ...Schedules[0], [field]: value }, ...Schedules] });
  const imported = await session.run('import eventbridge - --json', { stdin });
  expect(JSON.parse(imported.stdout)).toMatchObject({
    jobs: [{ jobId: 'a' }],
    refused: [{ reason }],
  });
});

test('two jobs that would have one name in a group: the second is refused', async () => {
  for (const jobId of ['billing.a', 'a', 'b']) await put(jobId, { schedule: CRON, target: LAMBDA });
  const { stdout, stderr, exitCode } = await exported('--group billing');
  const { Schedules } = JSON.parse(stdout) as { Schedules: { Name: string; GroupName: string }[] };
  expect(Schedules.map(({ Name, GroupName }) => `${GroupName}/${Name}`)).toEqual(['billing/a', 'billing/b']);
  expect(stderr).toContain('Not exported: billing.a: its name in the group would be a, as that of a');
  expect(exitCode).toBe(1);
});
