import {
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
  type MetricAlarm,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';

import { type Finding, noProblems } from '../check';
import type { AwsSite } from '../site/site';
import { resourcesOf } from '../site/stacks';
import { until } from '../until';

/** What one request describes. */
const BATCH = 100;
/** The canary's alarm is on for the first hour and a quarter, and for an hour after a stop. */
const SETTLED_WITHIN_MS = 75 * 60_000;
const PERIOD_SEC = 60;
/** SNS publishes its metrics within five minutes. */
const SENT_WITHIN_MS = 15 * 60_000;

async function alarmsOf({ clients, stackName }: AwsSite): Promise<{ names: string[]; found: MetricAlarm[] }> {
  const names = await resourcesOf(clients.cloudFormation, stackName, 'AWS::CloudWatch::Alarm');
  const found: MetricAlarm[] = [];
  for (let first = 0; first < names.length; first += BATCH) {
    const AlarmNames = names.slice(first, first + BATCH);
    const query = new DescribeAlarmsCommand({ AlarmNames, AlarmTypes: ['MetricAlarm'], MaxRecords: BATCH });
    found.push(...((await clients.cloudWatch.send(query)).MetricAlarms ?? []));
  }
  return { names, found };
}

export async function alarms(site: AwsSite): Promise<Finding> {
  const problemsOf = ({ names, found }: Awaited<ReturnType<typeof alarmsOf>>) => {
    const states = new Map(found.map(({ AlarmName, StateValue }) => [AlarmName, StateValue]));
    return names
      .filter((name) => (states.get(name) ?? 'ALARM') === 'ALARM')
      .map((name) => (states.has(name) ? `${name} is on` : `${name} does not exist`));
  };
  const last = await until(
    site,
    () => alarmsOf(site),
    (all) => problemsOf(all).length === 0,
    SETTLED_WITHIN_MS,
  );
  const withoutTopic = last.found.filter(({ AlarmActions = [] }) => AlarmActions.length === 0);
  const problems = withoutTopic.map(({ AlarmName }) => `${AlarmName} has no topic`);
  return noProblems([...problemsOf(last), ...problems], `${last.names.length} exist, none is on`);
}

/** Sets one alarm off. CloudWatch sets it back when it evaluates the alarm next. */
export async function alarmMail(site: AwsSite): Promise<Finding> {
  const [alarm] = (await alarmsOf(site)).found;
  const topic = alarm?.AlarmActions?.[0];
  if (!alarm || topic === undefined) return { holds: false, detail: 'no alarm has a topic' };
  const startMs = site.nowMs();
  await site.clients.cloudWatch.send(
    new SetAlarmStateCommand({
      AlarmName: alarm.AlarmName,
      StateValue: 'ALARM',
      StateReason: 'npm run accept: does a mail arrive?',
    }),
  );
  const name = topic.slice(topic.lastIndexOf(':') + 1);
  const read = async () => ({
    delivered: await notifications(site, { name, metric: 'NumberOfNotificationsDelivered', startMs }),
    failed: await notifications(site, { name, metric: 'NumberOfNotificationsFailed', startMs }),
  });
  const { delivered, failed } = await until(
    site,
    read,
    (sums) => sums.delivered > 0 || sums.failed > 0,
    SENT_WITHIN_MS,
  );
  return {
    holds: delivered > 0 && failed === 0,
    detail: `${name}: ${delivered} delivered, ${failed} failed, after ${alarm.AlarmName} was set off`,
  };
}

async function notifications(
  { clients, nowMs }: AwsSite,
  { name, metric, startMs }: { name: string; metric: string; startMs: number },
): Promise<number> {
  const { Datapoints = [] } = await clients.cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: 'AWS/SNS',
      MetricName: metric,
      Dimensions: [{ Name: 'TopicName', Value: name }],
      // Whole minutes: a datapoint begins with its minute.
      StartTime: new Date(Math.floor(startMs / 60_000) * 60_000),
      EndTime: new Date(nowMs()),
      Period: PERIOD_SEC,
      Statistics: ['Sum'],
    }),
  );
  return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
}
