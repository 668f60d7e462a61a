import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';

import { type Clock, MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { QueueAdmin } from '../queue/queue-admin';
import { handlerWith } from './client-settings';

const CLOUDWATCH_TIMEOUT_MS = 2_000;
/** SQS sends a datapoint each minute, and CloudWatch shows it a little later. */
const SINCE_MS = 5 * MINUTE_MS;

/** One try, since its caller waits for a moment only. */
const cloudWatchClient = (): CloudWatchClient =>
  new CloudWatchClient({ maxAttempts: 1, requestHandler: handlerWith(CLOUDWATCH_TIMEOUT_MS) });

/**
 * How old the oldest messages of queues are, as CloudWatch knows it: SQS itself does not tell. One request,
 * which costs $0.01 for 1,000 queues. A queue without a datapoint is left out.
 *
 * @param urls the URL of each queue, by its name
 */
export function cloudWatchQueueAges(
  urls: Readonly<Record<string, string>>,
  clock: Pick<Clock, 'nowMs'>,
  client: Pick<CloudWatchClient, 'send'> = cloudWatchClient(),
): QueueAdmin['oldestSec'] {
  return async (names, abortSignal) => {
    const nowMs = clock.nowMs();
    const command = new GetMetricDataCommand({
      StartTime: new Date(nowMs - SINCE_MS),
      EndTime: new Date(nowMs),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: names.map((name, index) => ageQuery(`q${index}`, urls[name]!)),
    });
    const { MetricDataResults = [] } = await client.send(command, { abortSignal });
    return new Map(
      MetricDataResults.flatMap(({ Id, Values: [newest] = [] }): [string, number][] =>
        newest === undefined ? [] : [[names[Number(Id?.slice(1))]!, Math.round(newest)]],
      ),
    );
  };
}

const ageQuery = (Id: string, url: string): MetricDataQuery => ({
  Id,
  MetricStat: {
    Metric: {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: url.slice(url.lastIndexOf('/') + 1) }],
    },
    Period: MINUTE_MS / SECOND_MS,
    Stat: 'Maximum',
  },
});
