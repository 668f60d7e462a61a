import small from '../../config/small.json';
import { queuedLanes } from '../../lambdas/core/contracts/pools';
import { ofType, resourcesOf, targetOf, variablesOf, functionOf } from './synth';

const FREE_METRICS = 10;

const resources = resourcesOf({ stage: 'small' });
const ids = (type: string): string[] => ofType(resources, type).map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));

test('has fewer than 75 resources', () => {
  expect(resources.size).toBeLessThan(75);
  expect(resources.size).toBeGreaterThan(60);
});

test('all short calls are in one queue, and long calls in another', () => {
  const queues = ids('AWS::SQS::Queue').filter((id) => id.startsWith('Executions'));
  expect(queues.toSorted()).toEqual([
    ...['ExecutionsHighestDeadLetters', 'ExecutionsHighestQueue'],
    ...['ExecutionsLongDeadLetters', 'ExecutionsLongQueue'],
  ]);
  expect(ids('AWS::Lambda::EventSourceMapping').toSorted()).toEqual([
    ...['StagesExecutorFromHighest', 'StagesLongExecutorFromLong'],
    ...['StagesScannerFromScan', 'StagesSweeperFromSweep'],
  ]);
  expect(queuedLanes('shared')).toEqual(['highest', 'long']);
});

test('functions know of each queue, and that lanes share it', () => {
  for (const stage of ['api', 'scanner', 'executor', 'sweeper', 'auditor', 'worker'] as const) {
    const { EXECUTION_QUEUES } = variablesOf(resources, functionOf(resources, stage)[1]);
    expect(JSON.stringify(EXECUTION_QUEUES)).toContain('\\"queues\\":\\"shared\\"');
  }
});

test('all functions write to one log group, which expires', () => {
  const [shared, ...others] = ids('AWS::Logs::LogGroup').toSorted((a, b) => a.length - b.length);
  expect([shared, others]).toEqual(['Logs', ['HttpAccessLog']]);
  const used = ofType(resources, 'AWS::Lambda::Function').map(([, { Properties }]) =>
    targetOf(Properties.LoggingConfig.LogGroup),
  );
  expect(new Set(used).size).toBe(1);
  for (const [, { Properties }] of ofType(resources, 'AWS::Logs::LogGroup'))
    expect(Properties.RetentionInDays).toBe(small.logRetentionDays);
});

test('there are the alarms that users would notice, within what CloudWatch does not bill', () => {
  expect(ids('AWS::CloudWatch::Alarm').toSorted()).toEqual([
    ...['AlarmsApiFaults', 'AlarmsAuditorSilent', 'AlarmsCursorLag'],
    ...['AlarmsDeadLettersDefault', 'AlarmsDidNotRun', 'AlarmsFunctionErrors'],
  ]);
  const metrics = ofType(resources, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) =>
    ((Properties.Metrics ?? [{ MetricStat: {} }]) as object[]).filter((one) => 'MetricStat' in one),
  );
  expect(metrics.flat().length).toBeLessThanOrEqual(FREE_METRICS);
});

test('there is no console, no canary and no saved query', () => {
  expect([...resources.keys()].filter((id) => /console|canary|queries/i.test(id))).toEqual([]);
});
