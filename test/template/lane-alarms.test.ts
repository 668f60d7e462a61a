import { CANARY_LANES, LANES } from '../../lambdas/core/contracts/pools';
import { ofType, type Resource, resourcesOf, targetOf } from './synth';

function alarmOf(name: string, settings: Record<string, string> = {}): Resource {
  const alarms = ofType(resourcesOf(settings), 'AWS::CloudWatch::Alarm');
  return alarms.find(([id]) => id.startsWith(`Alarms${name}`))![1];
}

test('an alarm watches what waits in every lane, for five minutes', () => {
  const { Properties } = alarmOf('BacklogDefault', { alarms: 'all' });
  const [maximum, ...lanes] = Properties.Metrics;
  expect(maximum.Expression).toBe('MAX([m0, m1, m2, m3, m4, m5, m6])');
  expect(lanes).toHaveLength(LANES.length);
  for (const { MetricStat } of lanes) {
    expect(MetricStat).toMatchObject({ Stat: 'Minimum', Period: 60 });
    expect(MetricStat.Metric.MetricName).toBe('ApproximateNumberOfMessagesVisible');
  }
  expect(Properties).toMatchObject({ Threshold: 0, DatapointsToAlarm: 5, EvaluationPeriods: 5 });
});

test('of the default pool, the essential alarm watches the lane that no job of the canary takes', () => {
  const { Properties } = alarmOf('BacklogDefault');
  const [{ MetricStat }, ...others] = Properties.Metrics;
  expect(others).toEqual([]);
  expect(MetricStat).toMatchObject({ Stat: 'Minimum', Period: 60 });
  expect(MetricStat.Metric.MetricName).toBe('ApproximateNumberOfMessagesVisible');
  expect(targetOf(MetricStat.Metric.Dimensions[0].Value)).toMatch(/^ExecutionsOverflowQueue/);
  expect(Properties).toMatchObject({ Threshold: 0, DatapointsToAlarm: 5, EvaluationPeriods: 5 });
  const withoutCanary = LANES.filter((lane) => !CANARY_LANES.some((one) => one === lane));
  expect(withoutCanary).toEqual(['overflow']);
});

test('while a single lane stands still, the alarm on the canary stays on', () => {
  const { Properties } = alarmOf('Canary');
  const { DatapointsToAlarm, EvaluationPeriods } = Properties;
  for (let last = 0; last < CANARY_LANES.length; last++) {
    const window = Array.from({ length: EvaluationPeriods }, (_, ago) => (last + ago) % CANARY_LANES.length);
    for (const lane of CANARY_LANES.keys())
      expect(window.filter((one) => one === lane)).toHaveLength(DatapointsToAlarm);
  }
});
