import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';

import { cloudWatchQueueAges } from '../../../../lambdas/core/platform/queue-ages';
import { T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { mockedClient } from '../../../support/mocked-client';

const cloudWatch = mockedClient(CloudWatchClient);
beforeEach(() => cloudWatch.reset());

const URLS = {
  'default/medium': 'https://sqs.test/111122223333/Medium-1',
  'default/long': 'https://sqs.test/111122223333/Long-1',
  scan: 'https://sqs.test/111122223333/Scan-1',
};
const { signal } = new AbortController();
const agesOf = (names: string[]) =>
  cloudWatchQueueAges(URLS, new FakeClock(), new CloudWatchClient({}))(names, signal);

test('all queues are asked in one request, and the newest datapoint of each counts', async () => {
  cloudWatch.on(GetMetricDataCommand).resolves({
    MetricDataResults: [
      { Id: 'q1', Values: [] },
      { Id: 'q0', Values: [130.4, 70, 10] },
      { Id: 'q2', Values: [0] },
    ],
  });
  const ages = await agesOf(['default/medium', 'default/long', 'scan']);
  expect(ages).toEqual(
    new Map([
      ['default/medium', 130],
      ['scan', 0],
    ]),
  );
  const calls = cloudWatch.commandCalls(GetMetricDataCommand).map(({ args }) => args);
  const [[{ input }, options]] = calls as unknown as [[GetMetricDataCommand, unknown]];
  expect(calls).toHaveLength(1);
  expect(options).toEqual({ abortSignal: signal });
  expect(input).toMatchObject({
    StartTime: new Date(T0_MS - 300_000),
    EndTime: new Date(T0_MS),
    ScanBy: 'TimestampDescending',
  });
  expect(input.MetricDataQueries).toHaveLength(3);
  expect(input.MetricDataQueries![1]).toEqual({
    Id: 'q1',
    MetricStat: {
      Metric: {
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateAgeOfOldestMessage',
        Dimensions: [{ Name: 'QueueName', Value: 'Long-1' }],
      },
      Period: 60,
      Stat: 'Maximum',
    },
  });
});

test('an answer without results knows no age', async () => {
  cloudWatch.on(GetMetricDataCommand).resolves({});
  expect(await agesOf(['scan'])).toEqual(new Map());
});

test('a refusal rejects', async () => {
  cloudWatch.on(GetMetricDataCommand).rejects(new Error('AccessDenied'));
  await expect(agesOf(['scan'])).rejects.toThrow('AccessDenied');
});
