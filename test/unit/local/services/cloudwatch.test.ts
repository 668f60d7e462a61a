import { CloudWatchClient, GetMetricDataCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';

import { cloudWatchQueueAges } from '../../../../lambdas/core/platform/queue-ages';
import { AwsMetrics } from '../../../../local/metrics/aws-metrics';
import { MetricStore } from '../../../../local/metrics/metric-store';
import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { cloudWatch } from '../../../../local/services/cloudwatch';
import { LocalQueue } from '../../../../local/services/sqs/local-queue';
import type { QueuedMessage } from '../../../../local/services/sqs/message';
import { FakeClock } from '../../../support/fake-clock';

const URL = 'http://127.0.0.1/000000000000/Stack-Medium';
const clock = new FakeClock();
const store = new MetricStore(clock.nowMs());

const message = (): QueuedMessage => ({
  messageId: 'm',
  body: '{}',
  md5OfBody: '',
  messageAttributes: {},
  sentTimestamp: clock.nowMs(),
  approximateReceiveCount: 0,
});

async function withCloudWatch(work: (client: CloudWatchClient) => Promise<void>): Promise<void> {
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  endpoint.serve(cloudWatch(store));
  const client = new CloudWatchClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: callers.issue(),
    maxAttempts: 1,
  });
  try {
    await work(client);
  } finally {
    client.destroy();
    await endpoint.stop();
  }
}

/** As the API's status asks for it. */
const ageOf = async (client: CloudWatchClient, name: string): Promise<number | undefined> =>
  (await cloudWatchQueueAges({ [name]: URL }, clock, client)([name], new AbortController().signal)).get(name);

/** What the queue is like now, as AWS would measure it. */
function sample(queue: LocalQueue): void {
  const spec = { name: 'Stack-Medium', arn: queue.arn, url: URL, logicalId: 'Medium', attributes: {} };
  new AwsMetrics(store, clock).sampleQueues([spec], () => queue).stop();
}

test('the API gets the newest age of the oldest message that is not deleted', async () => {
  const queue = new LocalQueue('Stack-Medium', 'arn:medium', URL, {}, () => undefined, clock);
  await withCloudWatch(async (client) => {
    sample(queue);
    expect(await ageOf(client, 'default/medium')).toBeUndefined();
    queue.send(message());
    await clock.advance(70_000);
    queue.send(message());
    sample(queue);
    expect(await ageOf(client, 'default/medium')).toBe(70);
    const [oldest] = queue.receive(1, 600);
    await clock.advance(60_000);
    sample(queue);
    expect(await ageOf(client, 'default/medium')).toBe(130);
    queue.delete(oldest!.receiptHandle);
    await clock.advance(60_000);
    sample(queue);
    expect(await ageOf(client, 'default/medium')).toBe(120);
    await clock.advance(600_000);
    expect(await ageOf(client, 'default/medium')).toBeUndefined();
  });
});

test.each([
  ['an expression', { Id: 'e', Expression: 'SUM(METRICS())' }],
  ['a statistic of its own', { Id: 'e', MetricStat: { Metric: {}, Period: 60, Stat: 'TM(10%:90%)' } }],
])('%s is an error, not an empty answer', async (_, query) => {
  await withCloudWatch(async (client) => {
    const request = { StartTime: new Date(0), EndTime: new Date(60_000), MetricDataQueries: [query] };
    await expect(client.send(new GetMetricDataCommand(request))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });
});

test('more datapoints than CloudWatch gives are an error', async () => {
  await withCloudWatch(async (client) => {
    const MetricStat = { Metric: { Namespace: 'n', MetricName: 'm' }, Period: 60, Stat: 'Sum' };
    const request = {
      StartTime: new Date(0),
      EndTime: new Date(clock.nowMs()),
      MetricDataQueries: [{ Id: 'a', MetricStat }],
    };
    await expect(client.send(new GetMetricDataCommand(request))).rejects.toThrow(/at most 100800/);
  });
});

test('other operations are errors', async () => {
  await withCloudWatch(async (client) => {
    await expect(client.send(new ListMetricsCommand())).rejects.toThrow(/does not support .* ListMetrics/);
  });
});
