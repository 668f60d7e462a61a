import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const CREATE = "jobs create report --schedule '0 9 * * *' --http https://example.com/hook";

describe('jobs create for every kind of work', () => {
  test.each([
    ['--queue video', { type: 'worker', queue: 'video' }],
    ['--lambda arn:aws:lambda:eu-west-1:111122223333:function:report', { type: 'lambda' }],
    [
      '--durable arn:aws:lambda:eu-west-1:111122223333:function:report:live',
      { type: 'lambda', functionArn: expect.stringMatching(/:live$/) as string, durable: true },
    ],
    ['--sqs https://sqs.eu-west-1.amazonaws.com/111122223333/work', { type: 'sqs' }],
    ['--sns arn:aws:sns:eu-west-1:111122223333:news', { type: 'sns' }],
    [
      '--event-bus orders --event-source shop --detail-type closed',
      { type: 'eventbridge', eventBusName: 'orders', source: 'shop', detailType: 'closed' },
    ],
    ['--state-machine arn:aws:states:eu-west-1:111122223333:stateMachine:etl', { type: 'stepfunctions' }],
    [
      '--wait --state-machine arn:aws:states:eu-west-1:111122223333:stateMachine:etl',
      { type: 'stepfunctions', wait: true },
    ],
    [
      '--ecs arn:aws:ecs:eu-west-1:111122223333:task-definition/report:7 --container app --env DAY=1 --env X=a=b ' +
        '--cluster arn:aws:ecs:eu-west-1:111122223333:cluster/jobs',
      {
        type: 'ecs',
        taskDefinitionArn: 'arn:aws:ecs:eu-west-1:111122223333:task-definition/report:7',
        clusterArn: 'arn:aws:ecs:eu-west-1:111122223333:cluster/jobs',
        container: 'app',
        environment: { DAY: '1', X: 'a=b' },
      },
    ],
    [
      '--batch arn:aws:batch:eu-west-1:111122223333:job-definition/report ' +
        '--job-queue arn:aws:batch:eu-west-1:111122223333:job-queue/spot --env DAY=1',
      {
        type: 'batch',
        jobDefinitionArn: 'arn:aws:batch:eu-west-1:111122223333:job-definition/report',
        jobQueueArn: 'arn:aws:batch:eu-west-1:111122223333:job-queue/spot',
        environment: { DAY: '1' },
      },
    ],
    [
      '--glue arn:aws:glue:eu-west-1:111122223333:job/etl --argument --day=7',
      {
        type: 'glue',
        glueJobArn: 'arn:aws:glue:eu-west-1:111122223333:job/etl',
        arguments: { '--day': '7' },
      },
    ],
    [
      '--codebuild arn:aws:codebuild:eu-west-1:111122223333:project/site',
      { type: 'codebuild', projectArn: 'arn:aws:codebuild:eu-west-1:111122223333:project/site' },
    ],
    [
      `--aws kinesis:PutRecord --input {"StreamName":"orders","Data":"x"}`,
      { type: 'aws', action: 'kinesis:PutRecord', input: { StreamName: 'orders', Data: 'x' } },
    ],
  ])('%s', async (flags, target) => {
    session.instead.push(new Response(JSON.stringify({ jobId: 'a' }), { status: 201 }));
    await session.run(`jobs create a --schedule none ${flags}`);
    expect(JSON.parse(session.bodies[0]!)).toMatchObject({ schedule: { type: 'none' }, target });
  });

  test.each([
    ['--event-bus orders', /--event-bus needs --event-source and --detail-type/],
    ['--queue video --detail-type closed', /--event-source and --detail-type are for --event-bus/],
    ['--queue video --wait', /--wait is for --state-machine/],
    ['--ecs arn:aws:ecs:eu-west-1:111122223333:task-definition/report', /--ecs needs --cluster/],
    ['--queue video --env A=1', /--env is for --ecs, --batch, --codebuild/],
    ['--queue video --input {}', /--input is for --aws/],
    ['--aws kinesis:PutRecord --input {', /--input is not JSON/],
    ['--queue video --argument --day=7', /--argument is for --glue/],
    ['--batch arn:aws:batch:eu-west-1:111122223333:job-definition/report', /--batch needs --job-queue/],
    ['--queue video --sns arn:aws:sns:eu-west-1:111122223333:news', /give one target only/],
  ])('%s is refused', async (flags, text) => {
    const { exitCode, stderr } = await session.run(`jobs create a --schedule none ${flags}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(text);
  });

  test('a payload comes from a file, and calendars are left out', async () => {
    const file = join(session.home, 'payload.json');
    writeFileSync(file, '{"n":1}');
    await session.world.call(
      'PUT /v1/calendars/{calendarId}',
      { calendarId: 'de' },
      { dates: ['2026-12-25'] },
    );
    await session.run(`${CREATE} --payload @${file} --exclude-calendar de`);
    expect(await session.json('jobs get report')).toMatchObject({
      payload: { n: 1 },
      schedule: { expression: '0 9 * * *', exclude: [{ calendar: 'de' }] },
    });
  });

  test('a file says its schedule as one of several jobs does', async () => {
    const file = join(session.home, 'job.yaml');
    writeFileSync(file, 'schedule: none\ntarget: { type: worker, queue: video }\n');
    await session.run(`jobs create a --file ${file}`);
    expect(await session.json('jobs get a')).toMatchObject({ schedule: { type: 'none' } });
  });

  test('a workflow needs no target', async () => {
    const stdin = JSON.stringify({
      schedule: 'none',
      workflow: { tasks: { one: { target: { type: 'http', url: 'https://e.com' } } } },
    });
    expect(await session.run('jobs create w --file -', { stdin })).toMatchObject({ exitCode: 0 });
  });
});
