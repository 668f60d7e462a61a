import { withLocalConcurrency } from '../../../../local/sources/local-concurrency';

const mapping = (functionArn: string, maxConcurrency: number) => ({
  logicalId: `${functionArn}-${maxConcurrency}`,
  queueArn: 'arn:q',
  functionArn,
  batchSize: 10,
  reportsItemFailures: true,
  maxConcurrency,
});
const concurrencies = (...mappings: ReturnType<typeof mapping>[]) =>
  withLocalConcurrency(mappings).map(({ maxConcurrency }) => maxConcurrency);

test('what a priority has more than another on AWS, it has more of here too', () => {
  expect(concurrencies(...[40, 20, 20, 10, 5, 2].map((one) => mapping('executor', one)))).toEqual([
    16, 8, 8, 4, 2, 1,
  ]);
});

test('what one machine can give is left as it is, for each function by itself', () => {
  expect(concurrencies(mapping('executor', 1_250), mapping('executor', 2), mapping('sweeper', 4))).toEqual([
    16, 1, 4,
  ]);
});
