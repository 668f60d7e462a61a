import { CANARY_LANES, LANES } from '../../lambdas/core/contracts/pools';
import { inEachDeployment } from './maximal';
import { ofType, type Resource, targetOf } from './synth';

const MAXIMUM = { Threshold: 0, DatapointsToAlarm: 5, EvaluationPeriods: 5 };

inEachDeployment(({ config, resources }) => {
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
  const alarmOf = (name: string): Resource =>
    alarms.find(([id]) => id.replace(/[0-9A-F]{8}$/, '') === `Alarms${name}`)![1];
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  const isAll = config.alarms === 'all';

  test.each(Object.keys(config.pools))(
    'an alarm watches for five minutes what waits in the lanes of the pool %s',
    (pool) => {
      const { Properties } = alarmOf(`Backlog${capital(pool)}`);
      expect(Properties).toMatchObject(MAXIMUM);
      const lanes = Properties.Metrics.filter(({ MetricStat }: Record<string, unknown>) => MetricStat);
      // Jobs of the canary take all lanes of the default pool but one.
      const watched = isAll || pool !== 'default' ? LANES : ['overflow'];
      const queues = lanes.map(({ MetricStat }: Record<string, any>) => {
        expect(MetricStat).toMatchObject({ Stat: 'Minimum', Period: 60 });
        expect(MetricStat.Metric.MetricName).toBe('ApproximateNumberOfMessagesVisible');
        return targetOf(MetricStat.Metric.Dimensions[0].Value).replace(/Queue[0-9A-F]{8}$/, '');
      });
      const name = pool === 'default' ? '' : capital(pool);
      expect(queues).toEqual(watched.map((lane) => `Executions${name}${capital(lane)}`));
      if (watched.length > 1)
        expect(Properties.Metrics[0].Expression).toBe(
          `MAX([${watched.map((_, at) => `m${at}`).join(', ')}])`,
        );
    },
  );

  test('while a single lane stands still, the alarm on the canary stays on', () => {
    const { DatapointsToAlarm, EvaluationPeriods } = alarmOf('Canary').Properties;
    for (let last = 0; last < CANARY_LANES.length; last++) {
      const window = Array.from(
        { length: EvaluationPeriods },
        (_, ago) => (last + ago) % CANARY_LANES.length,
      );
      for (const lane of CANARY_LANES.keys())
        expect(window.filter((one) => one === lane)).toHaveLength(DatapointsToAlarm);
    }
  });
});

test('of the lanes of a pool, the canary leaves out the overflow alone', () => {
  expect(LANES.filter((lane) => !CANARY_LANES.some((one) => one === lane))).toEqual(['overflow']);
});
