import { App, Stack } from 'aws-cdk-lib';
import type { Metric as CloudWatchMetric } from 'aws-cdk-lib/aws-cloudwatch';

import { Metric, type MetricName } from '../../lambdas/core/contracts/metrics';
import { powertoolsMeter } from '../../lambdas/core/platform/meter';
import { Quarterjack } from '../../lib';
import { QUICK, resourcesIn, stubBundles, targetOf, variablesOf } from './synth';

const app = new App(QUICK);
const stack = new Stack(app, 'Shop');
const jobs = new Quarterjack(stack, 'Jobs', {
  bundlesDir: stubBundles(),
  pools: { gpu: { memoryMb: 512 } },
});
const resources = resourcesIn({ app, stack });

/** What a function with the environment of the template writes for CloudWatch. */
function emitted(): { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] } & object {
  const api = [...resources].find(([id]) => id.startsWith('JobsStagesApiFunction'))![1];
  const meter = powertoolsMeter('api', { DEPLOYMENT: variablesOf(resources, api).DEPLOYMENT });
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  for (const name of Object.values(Metric)) meter.record(name, 1);
  meter.flush();
  write.mockRestore();
  return JSON.parse(written.join(''));
}
const statOf = (metric: CloudWatchMetric) => metric.toMetricConfig().metricStat!;

test('each metric has the namespace, the name and the dimensions that functions write', () => {
  const line = emitted() as unknown as Record<string, unknown> & {
    _aws: { CloudWatchMetrics: ReturnType<typeof emitted>[] };
  };
  const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics as [ReturnType<typeof emitted>];
  expect(Metrics.map(({ Name }) => Name).toSorted()).toEqual(Object.values(Metric).toSorted());
  for (const { Name } of Metrics) {
    const stat = statOf(jobs.metric(Name as MetricName));
    expect([stat.namespace, stat.metricName]).toEqual([Namespace, Name]);
    expect(stat.dimensions).toEqual(Dimensions.flat().map((name) => ({ name, value: line[name] })));
  }
});

test.each([
  ['metricLateness', Metric.latenessMs, 'p99'],
  ['metricSuccesses', Metric.succeeded, 'Sum'],
  ['metricFailures', Metric.failed, 'Sum'],
  ['metricCursorLag', Metric.cursorLagSec, 'Maximum'],
] as const)('%s is %s, its %s of a minute, unless options say otherwise', (method, name, statistic) => {
  const { metricName, statistic: given, period } = statOf(jobs[method]());
  expect([metricName, given, period.toSeconds()]).toEqual([name, statistic, 60]);
  expect(statOf(jobs[method]({ statistic: 'Minimum' })).statistic).toBe('Minimum');
});

test('the backlog is that of the queue that the executors of the pool read', () => {
  const queueOf = (metric: CloudWatchMetric) => {
    const { metricName, statistic, dimensions } = statOf(metric);
    expect([metricName, statistic]).toEqual(['ApproximateNumberOfMessagesVisible', 'Maximum']);
    return targetOf(stack.resolve(dimensions![0]!.value));
  };
  const ids = [queueOf(jobs.metricBacklog('high')), queueOf(jobs.metricBacklog('long', 'gpu'))];
  const names = ids.map((id) => resources.get(id)!.Properties.QueueName as string);
  expect(names).toEqual(['Shop-Jobs-default-high', 'Shop-Jobs-gpu-long']);
});

test('the backlog of a lane that shares a queue is that of the queue', () => {
  const small = new Stack(new App(QUICK), 'Small');
  const sharing = new Quarterjack(small, 'Jobs', { laneQueues: 'shared', bundlesDir: stubBundles() });
  const queueOf = (metric: CloudWatchMetric) =>
    targetOf(small.resolve(statOf(metric).dimensions![0]!.value)).replace(/.{8}$/, '');
  expect(['low', 'overflow', 'long'].map((lane) => queueOf(sharing.metricBacklog(lane as 'low')))).toEqual([
    ...['JobsExecutionsHighestQueue', 'JobsExecutionsHighestQueue', 'JobsExecutionsLongQueue'],
  ]);
});

test.each<[string, () => unknown, RegExp]>([
  [
    'a priority',
    () => jobs.metricBacklog('hihg' as 'high'),
    /^Shop\/Jobs: queue is "hihg"; expected one of highest, high, .*, long; did you mean "high"\?$/,
  ],
  ['a priority in capitals', () => jobs.metricBacklog('HIGH' as 'high'), /queue is "HIGH"; .*"high"\?$/],
  [
    'a pool',
    () => jobs.metricBacklog('high', 'gpuu'),
    /pool is "gpuu"; expected one of default, gpu; .*"gpu"/,
  ],
  ['a metric', () => jobs.metric('Latenes' as MetricName), /name is "Latenes"; expected one of /],
  ['no metric', () => jobs.metric(undefined as unknown as MetricName), /name is undefined; expected one of /],
])('%s that the deployment does not have is refused, with what was meant', (_, make, message) => {
  expect(make).toThrow(message);
});
