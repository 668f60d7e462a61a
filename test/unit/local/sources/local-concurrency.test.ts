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

test('the concurrency of the priorities is scaled down in proportion', () => {
  expect(concurrencies(...[40, 20, 20, 10, 5, 2].map((one) => mapping('executor', one)))).toEqual([
    16, 8, 8, 4, 2, 1,
  ]);
});

test('each function is scaled separately, and not at all if its concurrency is low enough', () => {
  const mappings = [mapping('executor', 1_250), mapping('executor', 2), mapping('longExecutor', 10)];
  expect(concurrencies(...mappings, mapping('sweeper', 4))).toEqual([16, 1, 10, 4]);
});

test('while the processors have room, each queue may have the maximum, or what it has in AWS', () => {
  const most = withLocalConcurrency([
    mapping('executor', 40),
    mapping('executor', 20),
    mapping('executor', 2),
  ]);
  expect(most.map(({ mostWithRoom }) => mostWithRoom)).toEqual([16, 16, 2]);
});

test('a run may ask for more, which it has while the processors have room', () => {
  const [medium, overflow] = withLocalConcurrency([mapping('executor', 64), mapping('executor', 2)], 64);
  expect(medium).toMatchObject({ maxConcurrency: 16, mostWithRoom: 64 });
  expect(overflow).toMatchObject({ maxConcurrency: 1, mostWithRoom: 2 });
});
