import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { dashboardUrl } from '../../lambdas/api/admin/dashboard-url';
import { Metric, METRICS_BY_PRIORITY } from '../../lambdas/core/contracts/metrics';
import { AWS_METRICS } from './aws-metrics';
import { inEachDeployment } from './maximal';
import { functionOf, ofType, type Resource, resourcesOf, targetOf } from './synth';

type Resources = ReadonlyMap<string, Resource>;

interface NamedMetric {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
}

/** A string in which every intrinsic is replaced by `<logical id>`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join } = value as { 'Fn::Join'?: [string, unknown[]] };
  return join ? join[1].map(textOf).join(join[0]) : `<${targetOf(value)}>`;
}

const metricsOn = (dashboard: Resource): NamedMetric[] => {
  const body = JSON.parse(textOf(dashboard.Properties.DashboardBody)) as {
    widgets: { type: string; properties: { metrics: unknown[][] } }[];
  };
  return body.widgets.flatMap(({ properties }) =>
    properties.metrics.map((line) => {
      const [namespace, name, ...rest] = line.filter((part) => typeof part === 'string') as string[];
      const pairs = rest.flatMap((key, index) => (index % 2 === 0 ? [[key, rest[index + 1]!]] : []));
      return { namespace: namespace!, name: name!, dimensions: Object.fromEntries(pairs) };
    }),
  );
};

const dashboardsOf = (resources: Resources): NamedMetric[][] =>
  ofType(resources as Map<string, Resource>, 'AWS::CloudWatch::Dashboard').map(([, one]) => metricsOn(one));
/** Those of the deployment's own dashboard; further pools have others. */
const dashboardMetrics = (resources: Resources): NamedMetric[] => dashboardsOf(resources)[0]!;

function alarmMetrics({ Properties }: Resource): NamedMetric[] {
  const stats = Properties.Metrics
    ? Properties.Metrics.flatMap(
        ({ MetricStat }: { MetricStat?: { Metric: unknown } }) => MetricStat?.Metric ?? [],
      )
    : [Properties];
  return stats.map(({ Namespace, MetricName, Dimensions = [] }: Record<string, any>) => ({
    namespace: Namespace,
    name: MetricName,
    dimensions: Object.fromEntries(
      Dimensions.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, textOf(Value)]),
    ),
  }));
}

/** Why a metric can never have a value; undefined if it can. */
function faultOf(
  { namespace, name, dimensions }: NamedMetric,
  resources: Resources,
  deployment: string,
): string | undefined {
  const given = Object.keys(dimensions).toSorted();
  if (namespace === 'Quarterjack') {
    if (dimensions.deployment !== deployment) return 'another deployment';
    if (!Object.values<string>(Metric).includes(name)) return 'no stage emits it';
    if (given.length === 1) return undefined;
    if (given.join() !== 'deployment,pool,priority') return `no stage emits it by ${given.join()}`;
    return METRICS_BY_PRIORITY.some((one) => one === name) ? undefined : 'it is not emitted by priority';
  }
  const metric = AWS_METRICS[namespace]?.[name];
  if (!metric) return 'AWS does not publish it';
  const { dimension, part, resourceType } = metric;
  if (given.filter((one) => one !== part).join() !== dimension)
    return `AWS publishes it only by ${dimension}`;
  const logicalId = /^<(.+)>$/.exec(dimensions[dimension]!)?.[1] ?? '';
  return resources.get(logicalId)?.Type === resourceType ? undefined : `${logicalId} is no ${resourceType}`;
}

const faultsIn = (
  metrics: readonly NamedMetric[],
  resources: Resources,
  deployment = 'Quarterjack-dev',
): string[] =>
  metrics.flatMap((metric) => {
    const fault = faultOf(metric, resources, deployment);
    return fault ? [`${metric.namespace} ${metric.name}: ${fault}`] : [];
  });

const usual = resourcesOf();
const usualAlarms = ofType(usual, 'AWS::CloudWatch::Alarm');
const resources = resourcesOf({ alarms: 'all', alarmTopicKey: 'true', tracing: 'true' });
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const runbook = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8');
const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  heading!
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
);

inEachDeployment(({ config, resources: all }) => {
  const deployment = `Quarterjack-${config.stage}`;

  test('dashboards show only metrics that a stage emits or AWS publishes', () => {
    const [own, ...ofPools] = dashboardsOf(all);
    expect(own!.length).toBeGreaterThan(20);
    expect(ofPools.length > 0).toBe(Object.keys(config.pools).length > 1);
    for (const metrics of [own!, ...ofPools]) {
      expect(faultsIn(metrics, all, deployment)).toEqual([]);
      // 50 are free, and 500 the most that a dashboard can have.
      expect(metrics.length).toBeLessThanOrEqual(config.metricsByPriority ? 500 : 50);
    }
  });

  describe.each(ofType(all, 'AWS::CloudWatch::Alarm'))('the alarm %s', (_id, alarm) => {
    const { Properties } = alarm;

    test('uses only metrics that a stage emits or AWS publishes', () => {
      expect(alarmMetrics(alarm).length).toBeGreaterThan(0);
      expect(faultsIn(alarmMetrics(alarm), all, deployment)).toEqual([]);
    });

    test('links to a section of the runbook that exists', () => {
      const [, anchor] = /Runbook: docs\/runbook\.md#([a-z-]+)$/.exec(Properties.AlarmDescription) ?? [];
      expect(anchors).toContain(anchor);
    });

    test('notifies the topic when it starts and when it ends', () => {
      for (const actions of [Properties.AlarmActions, Properties.OKActions]) {
        expect(actions).toHaveLength(1);
        expect(all.get(targetOf(actions[0]))?.Type).toBe('AWS::SNS::Topic');
      }
    });
  });

  test('functions are traced only if the configuration says so', () => {
    const functions = ofType(all, 'AWS::Lambda::Function');
    const traced = functions.filter(([, one]) => one.Properties.TracingConfig);
    // The console serves files alone.
    const console = functions.filter(([id]) => id.startsWith('ConsoleFunction'));
    expect(traced).toHaveLength(config.tracing ? functions.length - console.length : 0);
    expect(JSON.stringify([...all.values()]).includes('xray:')).toBe(config.tracing);
  });

  test('the topic of alarms has a key and a subscription only if the configuration says so', () => {
    const [[, { Properties }]] = ofType(all, 'AWS::SNS::Topic').filter(([id]) =>
      id.startsWith('AlarmTopic'),
    ) as [[string, Resource]];
    const key = Properties.KmsMasterKeyId && all.get(targetOf(Properties.KmsMasterKeyId));
    expect(key?.Type).toBe(config.alarmTopicKey ? 'AWS::KMS::Key' : undefined);
    const endpoints = ofType(all, 'AWS::SNS::Subscription').map(([, one]) => one.Properties.Endpoint);
    expect(endpoints).toEqual(config.alarmDestination === undefined ? [] : [config.alarmDestination]);
  });
});

describe('the dashboard', () => {
  test('shows the main metrics in pipeline order', () => {
    const names = dashboardMetrics(resources).map(({ name }) => name);
    const inOrder = [
      Metric.registered,
      Metric.due,
      Metric.dispatched,
      Metric.cursorLagSec,
      'ApproximateNumberOfMessagesVisible',
      Metric.claimed,
      Metric.succeeded,
      Metric.failed,
      Metric.retried,
      Metric.latenessMs,
      Metric.takenOver,
    ];
    const indexes = inOrder.map((name) => names.indexOf(name));
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    expect(indexes).not.toContain(-1);
  });

  test.each([
    ['commercial regions', 'eu-central-1', 'https://eu-central-1.console.aws.amazon.com'],
    ['GovCloud', 'us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com'],
    ['China', 'cn-north-1', 'https://cn-north-1.console.amazonaws.cn'],
  ])('is what the API names, with the console of %s', (_, region, origin) => {
    const [[, { Properties }]] = ofType(usual, 'AWS::CloudWatch::Dashboard') as [[string, Resource]];
    const { DASHBOARD } = functionOf(usual, 'api')[1].Properties.Environment.Variables;
    expect(DASHBOARD).toEqual(Properties.DashboardName);
    const name = textOf(DASHBOARD).replace('<AWS::Region>', region);
    expect(dashboardUrl(name, region)).toBe(
      `${origin}/cloudwatch/home?region=${region}#dashboards/dashboard/Quarterjack-dev-${region}`,
    );
  });

  test('shows the errors of both executors', () => {
    const shown = dashboardMetrics(usual).filter(({ namespace }) => namespace === 'AWS/Lambda');
    for (const one of ['executor', 'longExecutor'] as const)
      expect(shown).toContainEqual({
        namespace: 'AWS/Lambda',
        name: 'Errors',
        dimensions: { FunctionName: `<${functionOf(usual, one)[0]}>` },
      });
  });

  test('shows metrics by pool and priority if the configuration enables them', () => {
    const enabled = resourcesOf({ metricsByPriority: 'true' });
    const metrics = dashboardMetrics(enabled);
    expect(faultsIn(metrics, enabled)).toEqual([]);
    const split = (list: NamedMetric[]) => list.filter(({ dimensions }) => 'priority' in dimensions);
    expect(split(metrics)).toHaveLength(15);
    expect(split(dashboardMetrics(resources))).toEqual([]);
  });
});

test('alarms on periodic activity treat missing data as breaching', () => {
  const silent = alarms.filter(([, { Properties }]) => Properties.TreatMissingData === 'breaching');
  expect(silent.flatMap(([, alarm]) => alarmMetrics(alarm).map(({ name }) => name)).toSorted()).toEqual([
    'CanaryDeliveryMs',
    'CursorLagSec',
    'NumberOfMessagesSent',
    'OccurrencesDidNotRun',
    'SweepLagSec',
  ]);
});

test('the alarm on the auditor counts its invocations that succeed', () => {
  const [[, { Properties }]] = alarms.filter(([id]) => id.includes('AuditorSilent')) as [[string, Resource]];
  const { MetricStat } = Properties.Metrics[0]!;
  expect(MetricStat).toMatchObject({ Stat: 'SampleCount', Period: 600 });
  expect(Properties).toMatchObject({ Threshold: 1, ComparisonOperator: 'LessThanThreshold' });
});

test('every alarm has its own section of the runbook', () => {
  const sections = alarms.map(([, { Properties }]) => Properties.AlarmDescription.split('#')[1]);
  expect(new Set(sections).size).toBe(sections.length);
});

test('docs/cost.md states the actual numbers of alarms and metrics', () => {
  const cost = readFileSync(join(__dirname, '../../docs/cost.md'), 'utf8');
  for (const some of [usualAlarms, alarms]) {
    const monitored = some.flatMap(([, alarm]) => alarmMetrics(alarm));
    expect(cost).toContain(`${some.length} alarms on ${monitored.length} metrics`);
  }
  const names = Object.keys(Metric).length;
  expect(cost).toContain(`of the ${names} names`);
  expect(cost).toContain(`There are ${names} custom metrics: $${(names * 0.3).toFixed(2)} a month`);
});

test('without further settings, nothing is left out but what another alarm shows', () => {
  const namesOf = (some: typeof alarms) => some.map(([id]) => id.replace(/^Alarms|[0-9A-F]{8}$/g, ''));
  const left = namesOf(alarms).filter((name) => !namesOf(usualAlarms).includes(name));
  expect(left).toEqual(['TickSilent', 'DeadRequests', 'Throttles']);
  const [[, errors]] = usualAlarms.filter(([id]) => id.includes('FunctionErrors')) as [[string, Resource]];
  expect(alarmMetrics(errors).map(({ dimensions }) => dimensions.FunctionName)).toEqual([
    `<${functionOf(usual, 'executor')[0]}>`,
    `<${functionOf(usual, 'longExecutor')[0]}>`,
  ]);
});

test('with all alarms, throttles of every function count, those of both executors too', () => {
  const [[, throttles]] = alarms.filter(([id]) => id.includes('AlarmsThrottles')) as [[string, Resource]];
  const watched = alarmMetrics(throttles).map(({ dimensions }) => dimensions.FunctionName);
  for (const one of ['executor', 'longExecutor', 'api', 'canary'] as const)
    expect(watched).toContain(`<${functionOf(resources, one)[0]}>`);
});

describe('the alarm topic', () => {
  const ofAlarms = (type: string) => ofType(resources, type).filter(([id]) => id.startsWith('AlarmTopic'));
  const [[topicId, topic]] = ofAlarms('AWS::SNS::Topic') as [[string, Resource]];

  test('is encrypted with a key that CloudWatch may use, and only for alarms of this account', () => {
    const key = resources.get(targetOf(topic.Properties.KmsMasterKeyId));
    expect(key?.Properties.EnableKeyRotation).toBe(true);
    const statement: unknown = key?.Properties.KeyPolicy.Statement[1];
    expect(statement).toMatchObject({
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
  });

  test('denies messages over unencrypted connections', () => {
    const [[, policy]] = ofAlarms('AWS::SNS::TopicPolicy') as [[string, Resource]];
    expect(policy.Properties.Topics.map(targetOf)).toEqual([topicId]);
    expect(policy.Properties.PolicyDocument.Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    );
  });

  test.each([
    ['ops@example.com', 'email'],
    ['https://pager.example.com/hook', 'https'],
  ])('sends to %s if the configuration says so', (alarmDestination, protocol) => {
    const subscriptions = ofType(resourcesOf({ alarmDestination }), 'AWS::SNS::Subscription');
    expect(subscriptions.map(([, { Properties }]) => [Properties.Protocol, Properties.Endpoint])).toEqual([
      [protocol, alarmDestination],
    ]);
    expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
  });
});
