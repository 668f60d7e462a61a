import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';

import type { CheckOnAws } from '../../../scripts/accept/check';
import { reckoned } from '../../../scripts/accept/delivery/reckoned';
import type { Arrival } from '../../../scripts/accept/receiver/receiver';
import { REDEPLOY } from '../../../scripts/accept/redeploy/redeploy';
import { awsClients } from '../../../scripts/accept/site/aws-site';
import type { AwsSite } from '../../../scripts/accept/site/site';
import { STEPS } from '../../../scripts/accept/steps';
import { aStack, noStack, resourcesOfType } from '../../support/accept/aws-answers';
import { anAwsSite } from '../../support/accept/aws-site';

// Answers as AWS's API references describe them: the fields that matter here, and no others.

const cloudFormation = mockClient(CloudFormationClient);
const cloudWatch = mockClient(CloudWatchClient);
const sqs = mockClient(SQSClient);

let clients: ReturnType<typeof awsClients>;
beforeAll(() => {
  process.env.AWS_REGION = 'eu-central-1';
  clients = awsClients();
});
beforeEach(() => {
  for (const mock of [cloudFormation, cloudWatch, sqs]) mock.reset();
});

function check(name: string, overrides: Partial<AwsSite> = {}) {
  const all = [...STEPS, ...REDEPLOY].flatMap(({ checks }) => checks);
  const found = all.find((one): one is CheckOnAws => one.name === name && one.on === 'aws');
  return found!.run(anAwsSite({ clients, ...overrides }));
}

/** Programs that were run, each as one line. */
function programs(outputs: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const exec: AwsSite['exec'] = (command, args, { env = {} } = {}) => {
    const line = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args].join(
      ' ',
    );
    lines.push(line);
    const [, output = ''] = Object.entries(outputs).find(([part]) => line.includes(part)) ?? [];
    return Promise.resolve(output);
  };
  return { lines, exec };
}

const DEPLOY = 'npx cdk deploy -c stage=dev --require-approval never';

test.each([
  [
    'dynamodb',
    'QUARTERJACK_DYNAMODB_ENDPOINT=aws npx jest test/conformance/store-on-emulators.test.ts -t aws',
  ],
  ['sqs', 'QUARTERJACK_SQS_ENDPOINT=aws npx jest test/conformance/queue.test.ts -t aws'],
])('the suite of %s runs against AWS, and its failure is one of the check', async (name, line) => {
  const { lines, exec } = programs();
  expect(await check(`substrate/${name}`, { exec })).toMatchObject({ holds: true });
  expect(lines).toEqual([line]);
  const failing = () => Promise.reject(new Error('1 failed'));
  await expect(check(`substrate/${name}`, { exec: failing })).rejects.toThrow('1 failed');
});

describe('executors of other sizes', () => {
  /** An API that takes all jobs, and a receiver that gets each of them late by some milliseconds. */
  function delivering(lateMs: (jobId: string) => number) {
    const arrived: Arrival[] = [];
    const api: AwsSite['api'] = (call) => {
      const { jobs = [] } = (call.body ?? {}) as { jobs?: { jobId: string; schedule: { at: string } }[] };
      for (const { jobId, schedule } of jobs) {
        const dueAtMs = Date.parse(schedule.at);
        arrived.push({ jobId, execId: 'x', attempt: 1, fence: 1, dueAtMs, atMs: dueAtMs + lateMs(jobId) });
      }
      return Promise.resolve({
        status: 207,
        body: { outcomes: jobs.map((_, index) => ({ index, status: 201 })) },
      });
    };
    const arrivals = (prefix: string) =>
      Promise.resolve(arrived.filter(({ jobId }) => jobId.startsWith(prefix)));
    return { api, receiver: () => Promise.resolve({ url: 'https://receiver.test', arrivals }) };
  }

  test('are deployed one after the other, and the stage gets its own back', async () => {
    const { lines, exec } = programs();
    const site = delivering((jobId) => (jobId.includes('memory256') ? 400 : 40));
    const { holds, detail } = await check('memory/lateness', { ...site, exec, memorySizes: [256, 1_769] });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^npx cdk deploy -c stage=dev .* -c pools=\{"default":\{"memoryMb":256,/);
    expect(lines[1]).toContain('"memoryMb":1769');
    expect(lines[2]).toBe(DEPLOY);
    expect([holds, detail]).toEqual([
      true,
      '256 MB: p50 400 ms, p99 400 ms, 1000 at once p99 400 ms; ' +
        '1769 MB: p50 40 ms, p99 40 ms, 1000 at once p99 40 ms',
    ]);
  });

  test('that call early break the promise; a failure still gives the stage its own back', async () => {
    const { lines, exec } = programs();
    const early = delivering((jobId) => (jobId.endsWith('-7') ? -900 : 0));
    expect(await check('memory/lateness', { ...early, exec, memorySizes: [512] })).toMatchObject({
      holds: false,
      detail: expect.stringMatching(/^2 lost or early; 512 MB/) as string,
    });
    const broken = { ...early, api: () => Promise.reject(new Error('throttled')) };
    await expect(check('memory/lateness', { ...broken, exec, memorySizes: [512] })).rejects.toThrow(
      'throttled',
    );
    expect(lines.at(-1)).toBe(DEPLOY);
  });
});

test('docs/accept.md has the number of checks and each of the steps', () => {
  const page = readFileSync(join(__dirname, '../../../docs/accept.md'), 'utf8');
  const checks = STEPS.flatMap((step) => step.checks);
  expect(page).toContain(`: ${checks.length} checks in nine steps,`);
  const rows = [...page.matchAll(/^\| ([a-z][a-z-]*) +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(STEPS.map(({ name }) => name));
});

test('a burst is printed beside what docs/capacity.md reckons', () => {
  expect(reckoned('dev', 10_000)).toBe('reckoned: p50 13.6 s, p99 25.9 s');
});

describe('a deployment that is destroyed and made again', () => {
  const deployed = (DeletionPolicy?: string) => {
    const TemplateBody = JSON.stringify({
      Resources: { Jobs: { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy } },
    });
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
  };

  test('is refused while the stack would keep its tables, and nothing is destroyed', async () => {
    for (const policy of ['Retain', 'RetainExceptOnCreate']) {
      deployed(policy);
      expect(await check('destroy/allowed')).toEqual({ holds: false, detail: 'Jobs would be kept' });
      const { lines, exec } = programs();
      expect(await check('destroy/stack', { exec })).toEqual({
        holds: false,
        detail: 'not tried: deploy the stage with -c removal=destroy first',
      });
      expect(lines).toEqual([]);
    }
  });

  test('is gone after it', async () => {
    deployed('Delete');
    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    const { lines, exec } = programs();
    expect(await check('destroy/stack', { exec })).toEqual({
      holds: true,
      detail: 'there is no stack any more',
    });
    expect(lines).toEqual(['npx cdk destroy -c stage=dev --force']);
  });

  test('leaves nothing behind but keys and secrets that wait for their deletion', async () => {
    const tagged = (...arns: string[]) =>
      programs({
        'get-resources': JSON.stringify({
          ResourceTagMappingList: arns.map((ResourceARN) => ({ ResourceARN })),
        }),
      });
    const pending = ['arn:aws:kms:eu-central-1:1:key/k', 'arn:aws:secretsmanager:eu-central-1:1:secret:s'];
    const { exec, lines } = tagged(...pending);
    expect(await check('redeploy/nothing-left', { exec })).toMatchObject({ holds: true });
    expect(lines[0]).toContain('Key=quarterjack:deployment,Values=Quarterjack-dev');
    const table = 'arn:aws:dynamodb:eu-central-1:1:table/Jobs';
    expect(await check('redeploy/nothing-left', { exec: tagged(...pending, table).exec })).toEqual({
      holds: false,
      detail: `${table} is left`,
    });
  });

  test('is healthy again', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves(aStack('CREATE_COMPLETE', { ApiUrl: 'https://new.test' }));
    const asked = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => Promise.resolve(Response.json({ status: 'pass' })));
    const { lines, exec } = programs();
    expect(await check('redeploy/deploy', { exec })).toMatchObject({ holds: true });
    expect([lines, asked.mock.calls[0]]).toEqual([[DEPLOY], ['https://new.test/v1/health']]);
    asked.mockRestore();
  });
});

describe('a dead letter', () => {
  const env = {
    EXECUTION_QUEUES: JSON.stringify({ url: 'https://sqs.test/1/App-default-highest', pools: ['default'] }),
  };
  const api = () => Promise.resolve({ status: 200, body: { moved: 1 } });
  beforeEach(() => {
    const RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:1:dead',
      maxReceiveCount: 5,
    });
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { RedrivePolicy } });
    sqs.on(SendMessageCommand).resolves({ MessageId: 'm' });
    cloudFormation
      .on(ListStackResourcesCommand)
      .resolves(
        resourcesOfType(
          'AWS::CloudWatch::Alarm',
          'Quarterjack-dev-DeadLettersDefault1A2B',
          'Quarterjack-dev-Canary',
        ),
      );
  });

  test.each([
    ['ALARM', true],
    ['OK', false],
  ] as const)('after which its alarm is %s; it is moved back', async (StateValue, holds) => {
    cloudWatch.on(DescribeAlarmsCommand).resolves({ MetricAlarms: [{ StateValue }] });
    expect(await check('history/dead-letter-alarm', { env, api })).toEqual({
      holds,
      detail: `Quarterjack-dev-DeadLettersDefault1A2B is ${StateValue}; 1 moved back`,
    });
    expect(sqs.commandCalls(SendMessageCommand)[0]!.args[0].input.QueueUrl).toBe('https://sqs.test/1/dead');
  });
});

describe('a change under load', () => {
  const under = (shards: number) => ({
    env: { SHARD_COUNT: '16' },
    receiver: () => Promise.resolve({ url: 'https://receiver.test', arrivals: () => Promise.resolve([]) }),
    api: (call: { operation: string }) =>
      Promise.resolve({ status: 200, body: call.operation === 'getStatus' ? { shards } : { outcomes: [] } }),
  });

  test('deploys the same commit, then twice as many shards', async () => {
    const { lines, exec } = programs();
    expect(await check('change/same', { ...under(16), exec })).toMatchObject({ holds: true });
    expect(await check('change/shards', { ...under(32), exec })).toMatchObject({ holds: true });
    expect(await check('change/shards', { ...under(16), exec })).toMatchObject({ holds: false });
    expect(lines.slice(0, 2)).toEqual([DEPLOY, `${DEPLOY} -c shardCount=32`]);
  });

  test('deploys the commit before from a folder of its own, and this one again', async () => {
    const { lines, exec } = programs();
    expect(await check('change/commit-before', { ...under(16), exec })).toMatchObject({ holds: true });
    expect(lines.map((line) => line.replace(/\S*quarterjack-before-\S+/, 'FOLDER'))).toEqual([
      'git worktree add --detach FOLDER HEAD~1',
      'npm ci --ignore-scripts',
      DEPLOY,
      DEPLOY,
      'git worktree remove --force FOLDER',
    ]);
  });
});
