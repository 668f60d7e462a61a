import { dashboardData, readDashboard } from '../../../../local/metrics/dashboard';
import { MetricStore } from '../../../../local/metrics/metric-store';

const T0_MS = Date.UTC(2026, 11, 1, 8, 30);

const widget = (changes: object = {}, properties: object = {}) => ({
  type: 'metric',
  x: 0,
  y: 0,
  width: 8,
  height: 6,
  properties: {
    title: 'Lateness',
    view: 'timeSeries',
    region: 'us-east-1',
    metrics: [
      ['Quarterjack', 'LatenessMs', 'deployment', 'local', { label: 'p99', stat: 'p99', period: 60 }],
      ['AWS/SQS', 'Visible', 'QueueName', 'q'],
    ],
    yAxis: { left: { min: 0, label: 'milliseconds' } },
    ...properties,
  },
  ...changes,
});
const read = (...widgets: object[]) =>
  readDashboard({ logicalId: 'Dashboard', name: 'd', arn: 'arn', body: JSON.stringify({ widgets }) });

test('reads the metrics of each graph', () => {
  expect(read(widget())).toEqual([
    {
      title: 'Lateness',
      unit: 'milliseconds',
      width: 8,
      lines: [
        {
          namespace: 'Quarterjack',
          name: 'LatenessMs',
          dimensions: { deployment: 'local' },
          label: 'p99',
          statistic: 'p99',
        },
        {
          namespace: 'AWS/SQS',
          name: 'Visible',
          dimensions: { QueueName: 'q' },
          label: 'Visible',
          statistic: 'Average',
        },
      ],
    },
  ]);
});

test.each([
  ['another kind of widget', widget({ type: 'alarm' })],
  ['another view', widget({}, { view: 'pie' })],
  ['an unsupported property', widget({}, { annotations: {} })],
  ['an expression', widget({}, { metrics: [[{ expression: 'm1 + m2' }]] })],
])('%s is an error at start, not a gap on the page', (_what, one) => {
  expect(() => read(one)).toThrow('Dashboard: the local run cannot');
});

test('returns the points of the window up to now', () => {
  const store = new MetricStore(T0_MS);
  store.put({
    namespace: 'Quarterjack',
    name: 'LatenessMs',
    dimensions: { deployment: 'local' },
    values: [9],
    atMs: T0_MS,
  });
  const { atSec, graphs } = dashboardData(read(widget()), store, {
    nowMs: T0_MS + 75_000,
    windowMs: 180_000,
    periodMs: 60_000,
  });
  expect(atSec.map((sec) => sec - T0_MS / 1_000)).toEqual([-60, 0, 60]);
  expect(graphs[0]).toMatchObject({
    title: 'Lateness',
    lines: [{ label: 'p99', values: [null, 9, null] }, {}],
  });
});
