import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricStatisticsCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';

import { bill } from '../../../scripts/accept/bill/bill';
import { awsClients, awsSite } from '../../../scripts/accept/site/aws-site';
import { aStack, noStack, resourcesOfType } from '../../support/accept/aws-answers';
import { anAwsSite } from '../../support/accept/aws-site';

// Answers as AWS's API references describe them: the fields that matter here, and no others.

const cloudFormation = mockClient(CloudFormationClient);
const cloudWatch = mockClient(CloudWatchClient);
const logs = mockClient(CloudWatchLogsClient);
const dynamo = mockClient(DynamoDBDocumentClient);
const lambda = mockClient(LambdaClient);
const sqs = mockClient(SQSClient);

let clients: ReturnType<typeof awsClients>;
beforeAll(() => {
  process.env.AWS_REGION = 'eu-central-1';
  clients = awsClients();
});
beforeEach(() => {
  for (const mock of [cloudFormation, cloudWatch, logs, dynamo, lambda, sqs]) mock.reset();
});

describe('a site in AWS', () => {
  const outputs = { ApiUrl: 'https://api.test', EventBusName: 'Quarterjack-dev-Lifecycle' };
  const open = () =>
    awsSite({ clients, stage: 'dev', isDeployed: true, tokens: { token: undefined, idToken: undefined } });
  beforeEach(() => {
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('CREATE_COMPLETE', outputs));
    const Environment = { Variables: { TICK_SCHEDULE: 'Scan' } };
    lambda.on(ListFunctionsCommand).resolves({
      Functions: [{ FunctionName: 'other' }, { FunctionName: 'Quarterjack-dev-Api', Environment }],
    });
  });

  test('is found by its stack and its API', async () => {
    expect(await open()).toMatchObject({ url: 'https://api.test', env: { TICK_SCHEDULE: 'Scan' } });
    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    await expect(open()).rejects.toThrow('there is no stack Quarterjack-dev in this account and region');
  });

  test('has a receiver in a stack of its own, which is removed at the end', async () => {
    const made = {
      ReceiverUrl: 'https://x.lambda-url.eu-central-1.on.aws/',
      Arrivals: 'T',
      ScratchQueue: 'q',
      EventQueue: 'e',
    };
    cloudFormation.on(CreateStackCommand).resolves({ StackId: 's' });
    cloudFormation.on(DeleteStackCommand).resolves({});
    const site = await open();
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('CREATE_COMPLETE', made));
    dynamo.on(ScanCommand).resolves({
      Items: [
        { jobId: 'a', atMs: 2 },
        { jobId: 'a', atMs: 1 },
      ],
    });
    const { url, arrivals } = await site.receiver();
    expect(url).toBe('https://x.lambda-url.eu-central-1.on.aws');
    expect(await arrivals('a')).toEqual([
      { jobId: 'a', atMs: 1 },
      { jobId: 'a', atMs: 2 },
    ]);
    expect(await site.scratchQueue()).toBe('q');
    expect(cloudFormation.commandCalls(CreateStackCommand)).toHaveLength(1);

    const Body = JSON.stringify({ 'detail-type': 'execution.failed', detail: { jobId: 'accept-1-gone' } });
    sqs
      .on(ReceiveMessageCommand)
      .resolvesOnce({ Messages: [{ Body, ReceiptHandle: 'r' }] })
      .resolves({});
    sqs.on(DeleteMessageBatchCommand).resolves({});
    const event = { type: 'execution.failed', jobId: 'accept-1-gone' };
    expect([await site.endEvents(), await site.endEvents()]).toEqual([[event], [event]]);

    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    expect(await site.end()).toEqual([]);
    expect(cloudFormation.commandCalls(DeleteStackCommand)[0]!.args[0].input).toEqual({
      StackName: 'Quarterjack-dev-Accept',
    });
  });

  test('says what it could not remove', async () => {
    const site = await open();
    site.atEnd(() => Promise.reject(new Error('job a is left')));
    expect(await site.end()).toEqual(['job a is left']);
  });

  test('reads names of metrics, and lines of level ERROR', async () => {
    cloudWatch
      .on(ListMetricsCommand)
      .resolvesOnce({ Metrics: [{ MetricName: 'LatenessMs' }], NextToken: 'more' })
      .resolves({ Metrics: [{ MetricName: 'ExecutionsClaimed' }] });
    const site = await open();
    expect(await site.metricNames()).toEqual(new Set(['LatenessMs', 'ExecutionsClaimed']));
    const groups = resourcesOfType('AWS::Logs::LogGroup', '/aws/lambda/scanner');
    cloudFormation.on(ListStackResourcesCommand).resolves(groups);
    const timestamp = new Date(site.startMs + 1).toISOString();
    const message = JSON.stringify({ level: 'ERROR', timestamp, message: 'message given back' });
    logs.on(FilterLogEventsCommand).resolves({ events: [{ message }] });
    expect(await site.errorLines()).toEqual(['message given back']);
  });
});

describe('the bill of yesterday', () => {
  const billed = (Amount: string, claims: number) => {
    cloudWatch.on(GetMetricStatisticsCommand).resolves({ Datapoints: [{ Sum: claims }] });
    const ResultsByTime =
      Amount === '' ? [] : [{ Total: { UnblendedCost: { Amount, Unit: 'USD' } }, Estimated: true }];
    const exec = jest.fn(() => Promise.resolve(JSON.stringify({ ResultsByTime })));
    return { exec, found: bill(anAwsSite({ clients, exec })) };
  };

  test('is compared with the arithmetic for as many executions', async () => {
    const { exec, found } = billed('0.40', 20_000);
    expect(await found).toMatchObject({ holds: true, figures: { day: '2026-11-21', dollars: 0.4 } });
    expect(exec).toHaveBeenCalledWith(
      'aws',
      expect.arrayContaining(['get-cost-and-usage', 'Start=2026-11-21,End=2026-11-22']),
    );
    expect(await billed('4.00', 20_000).found).toMatchObject({ holds: false });
  });

  test('a tag that is not activated is an error that names it', async () => {
    await expect(billed('', 0).found).rejects.toThrow('activate it as a cost allocation tag');
  });
});
