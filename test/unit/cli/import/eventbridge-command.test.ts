import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';

import { Session } from '../terminal-session';
import { awsSchedule, withTarget } from './aws-schedule';
import { mockedClient } from '../../../support/mocked-client';

const scheduler = mockedClient(SchedulerClient);
let session: Session;
beforeEach(() => {
  session = new Session();
  scheduler.reset();
  // Three pages, the second of them empty.
  const page = (names: string[], NextToken?: string) => ({
    Schedules: names.map((Name) => ({ Name, GroupName: 'default' })),
    NextToken,
  });
  scheduler
    .on(ListSchedulesCommand)
    .resolvesOnce(page(['report', 'gone'], 't1'))
    .resolvesOnce(page([], 't2'))
    .resolvesOnce(page(['ecs', 'ping']));
  scheduler.on(GetScheduleCommand, { Name: 'report' }).resolves(awsSchedule());
  scheduler
    .on(GetScheduleCommand, { Name: 'gone' })
    .rejects(new ResourceNotFoundException({ $metadata: {}, message: 'gone', Message: 'gone' }));
  scheduler
    .on(GetScheduleCommand, { Name: 'ecs' })
    .resolves(awsSchedule({ Name: 'ecs', ...withTarget({ Arn: 'arn:aws:inspector:us-east-1:1:target/c' }) }));
  scheduler
    .on(GetScheduleCommand, { Name: 'ping' })
    .resolves(awsSchedule({ Name: 'ping', ScheduleExpression: 'rate(5 minutes)', State: 'DISABLED' }));
});
afterEach(() => session.end());

test('shows the schedules of all pages, and changes nothing', async () => {
  const env = { QUARTERJACK_URL: '' };
  const { stdout, stderr, exitCode } = await session.run(
    'import eventbridge --region eu-central-1 --group default',
    { env },
  );
  expect(exitCode).toBe(1);
  expect(stdout).toBe(
    `+ report  0 9 * * MON,TUE,WED,THU,FRI Europe/Berlin  default/report
+ ping  every 5m, paused  default/ping
x default/ecs  its target arn:aws:inspector:us-east-1:1:target/c is not supported: use a Lambda function or a state machine that calls it

2 can be imported, 1 cannot.

Their targets need these entries in allowedTargetArns, unless the deployment has them:
  "arn:aws:lambda:eu-central-1:111122223333:function:report"
`,
  );
  expect(stderr).toBe(
    'No API has checked these jobs, and it may reject some: no API URL: there is no profile "default"; run quarterjack login, or set --url or QUARTERJACK_URL\n' +
      'No jobs were created. Use --apply to create them, or --out FILE to write a file for plan and apply.\n',
  );
  expect(session.requests).toEqual([]);
  expect(scheduler.commandCalls(ListSchedulesCommand)[2]?.args[0].input).toMatchObject({
    NextToken: 't2',
    GroupName: 'default',
  });
});

test('writes a file that apply can read', async () => {
  const file = join(session.home, 'jobs.yaml');
  await session.run(`import eventbridge --out ${file}`);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('# default/report');
  expect(text).toContain('# default/ecs: its target');
  expect(text).toContain('# arn:aws:lambda:eu-central-1:111122223333:function:report\n');
  expect(text).toContain('# the API would reject it: target.functionArn: ');
  writeFileSync(
    file,
    text.replaceAll(/type: lambda\n\s+functionArn: .*/g, 'type: http\n      url: https://example.com'),
  );
  expect((await session.run(`apply --yes ${file}`)).stdout).toContain('Done: 2 of 2.');
  expect(await session.json('jobs get ping')).toMatchObject({ status: 'paused' });
});

test('creates the jobs with --apply, and reports those that the API rejects', async () => {
  scheduler
    .on(GetScheduleCommand, { Name: 'ping' })
    .resolves(awsSchedule({ Name: 'ping', ScheduleExpression: 'cron(99 9 * * ? *)' }));
  const { stdout, exitCode } = await session.run('import eventbridge --apply --yes');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/x default\/ping +schedule\.expression: .*99/);
  expect(stdout).toMatch(/x default\/report +target\.functionArn: .* is not among the ARNs/);
});

describe('an error of AWS is one line', () => {
  const failure = (name: string, message: string, more: object = {}) =>
    Object.assign(new Error(message), { name, ...more });
  const rejected = (name: string, httpStatusCode: number) =>
    failure(name, 'the reason', { $metadata: { httpStatusCode } });

  test.each<[number, string, Error]>([
    [3, 'no AWS region: use --region, or set AWS_REGION', failure('Error', 'Region is missing')],
    [4, 'no AWS credentials: none', failure('CredentialsProviderError', 'none')],
    [
      7,
      'AWS does not respond: getaddrinfo ENOTFOUND x',
      failure('Error', 'getaddrinfo ENOTFOUND x', { code: 'ENOTFOUND' }),
    ],
    [7, 'AWS does not respond: TimeoutError', failure('TimeoutError', '')],
    [4, 'AWS (403 AccessDeniedException): the reason', rejected('AccessDeniedException', 403)],
    [4, 'AWS (400 ExpiredTokenException): the reason', rejected('ExpiredTokenException', 400)],
    [5, 'AWS (404 ResourceNotFoundException): the reason', rejected('ResourceNotFoundException', 404)],
    [7, 'AWS (429 ThrottlingException): the reason', rejected('ThrottlingException', 429)],
    [1, 'AWS (400 ValidationException): the reason', rejected('ValidationException', 400)],
  ])('%i: %s', async (exitCode, message, error) => {
    scheduler.on(ListSchedulesCommand).rejects(error);
    expect(await session.run('import eventbridge')).toEqual({
      exitCode,
      stdout: '',
      stderr: `quarterjack: ${message}\n`,
    });
  });

  test('and an error of the program keeps its stack trace', async () => {
    scheduler.on(ListSchedulesCommand).rejects(new TypeError('x is not a function'));
    expect((await session.run('import eventbridge')).stderr).toContain('    at ');
  });
});

test('--out and --apply cannot be combined', async () => {
  expect(await session.run('import eventbridge --out a --apply')).toMatchObject({ exitCode: 3 });
});
