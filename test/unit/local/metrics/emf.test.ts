import { metricsIn } from '../../../../local/metrics/emf';
import { lineSplitter } from '../../../../local/metrics/line-splitter';

const directive = (dimensions: string[][], ...names: string[]) => ({
  Timestamp: 1_000,
  CloudWatchMetrics: [
    {
      Namespace: 'Quarterjack',
      Dimensions: dimensions,
      Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
    },
  ],
});

test('reads each metric of a line, single values and lists, for each set of dimensions', () => {
  const line = {
    _aws: directive([['deployment'], ['deployment', 'pool']], 'Claimed', 'LatenessMs'),
    deployment: 'local',
    pool: 'default',
    Claimed: 3,
    LatenessMs: [4, 9],
  };
  const [first, second, third] = metricsIn(JSON.stringify(line));
  expect(first).toEqual({
    namespace: 'Quarterjack',
    name: 'Claimed',
    dimensions: { deployment: 'local' },
    values: [3],
    atMs: 1_000,
  });
  expect(second).toMatchObject({ name: 'Claimed', dimensions: { deployment: 'local', pool: 'default' } });
  expect(third).toMatchObject({ name: 'LatenessMs', values: [4, 9] });
});

test.each([
  '',
  'plain text',
  '{"level":"INFO"}',
  '{"_aws":{"CloudWatchMetrics":',
  '{"_aws":{"CloudWatchMetrics":[{"Namespace":7}]}}',
])('reads no metrics from %s', (line) => {
  expect(metricsIn(line)).toEqual([]);
});

test('a line in several chunks is passed on when it is complete', () => {
  const lines: string[] = [];
  const split = lineSplitter((line) => lines.push(line));
  for (const chunk of ['a', 'b\nc', 'd\n\ne']) split(chunk);
  expect(lines).toEqual(['ab', 'cd', '']);
});
