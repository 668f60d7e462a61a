import { MetricStore } from '../../../../local/metrics/metric-store';
import { prometheusText } from '../../../../local/metrics/prometheus';

const AT_MS = 1_800_000_000_000;

function textOf(
  ...data: [namespace: string, name: string, dimensions: Record<string, string>, values: number[]][]
) {
  const store = new MetricStore(AT_MS);
  for (const [index, [namespace, name, dimensions, values]] of data.entries())
    store.put({ namespace, name, dimensions, values, atMs: AT_MS + index * 100_000_000 });
  return prometheusText(store);
}

test('a metric is a summary since the start of the run, and a gauge of its last value', () => {
  const deployment = { deployment: 'Quarterjack-local' };
  const text = textOf(
    ['Quarterjack', 'ExecutionsSucceeded', deployment, [2]],
    ['Quarterjack', 'LatenessMs', deployment, [40, 10]],
    ['Quarterjack', 'ExecutionsSucceeded', deployment, [3]],
  );
  expect(text.split('\n')).toEqual([
    '# TYPE quarterjack_executions_succeeded summary',
    'quarterjack_executions_succeeded_sum{deployment="Quarterjack-local"} 5',
    'quarterjack_executions_succeeded_count{deployment="Quarterjack-local"} 2',
    '# TYPE quarterjack_executions_succeeded_last gauge',
    'quarterjack_executions_succeeded_last{deployment="Quarterjack-local"} 3',
    '# TYPE quarterjack_lateness_ms summary',
    'quarterjack_lateness_ms_sum{deployment="Quarterjack-local"} 50',
    'quarterjack_lateness_ms_count{deployment="Quarterjack-local"} 2',
    '# TYPE quarterjack_lateness_ms_last gauge',
    'quarterjack_lateness_ms_last{deployment="Quarterjack-local"} 10',
    '',
  ]);
});

test('series of one name are together, and labels are escaped', () => {
  const text = textOf(
    ['AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: 'a"b\\c\nd' }, [1]],
    ['AWS/Lambda', 'Errors', {}, [0]],
    ['AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: 'b' }, [2]],
  );
  expect(text.match(/^# TYPE \S+ summary$/gm)).toEqual([
    '# TYPE aws_lambda_errors summary',
    '# TYPE aws_sqs_approximate_age_of_oldest_message summary',
  ]);
  expect(text).toContain(String.raw`aws_sqs_approximate_age_of_oldest_message_sum{QueueName="a\"b\\c\nd"} 1`);
  expect(text).toContain('aws_lambda_errors_sum 0\n');
});
