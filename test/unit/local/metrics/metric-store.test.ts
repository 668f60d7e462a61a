import { KEPT_MS, MetricStore } from '../../../../local/metrics/metric-store';

const T0_MS = Date.UTC(2026, 11, 1, 8, 30);
const metric = { namespace: 'Quarterjack', name: 'LatenessMs', dimensions: { deployment: 'local' } };
const minute = { fromMs: T0_MS, periodMs: 60_000, periods: 1 };

function filled(...values: number[]): MetricStore {
  const store = new MetricStore(T0_MS);
  values.forEach((value, index) => store.put({ ...metric, values: [value], atMs: T0_MS + index * 1_000 }));
  return store;
}

test.each([
  ['Sum', 60],
  ['SampleCount', 3],
  ['Average', 20],
  ['Minimum', 10],
  ['Maximum', 30],
  ['p50', 20],
  ['p99', 30],
])('%s over the steps of a period', (statistic, expected) => {
  expect(filled(10, 30, 20).read(metric, statistic, minute)).toEqual([expected]);
});

test('a period without values is null, but its sum is 0', () => {
  const range = { fromMs: T0_MS - 60_000, periodMs: 60_000, periods: 3 };
  const store = filled(5);
  expect(store.read(metric, 'Maximum', range)).toEqual([null, 5, null]);
  expect(store.read(metric, 'Sum', range)).toEqual([null, 5, 0]);
});

test('metrics are distinguished by their dimensions, in any order', () => {
  const store = new MetricStore(T0_MS);
  store.put({ ...metric, dimensions: { a: '1', b: '2' }, values: [7], atMs: T0_MS });
  expect(store.read({ ...metric, dimensions: { b: '2', a: '1' } }, 'Maximum', minute)).toEqual([7]);
  expect(store.read({ ...metric, dimensions: { a: '1' } }, 'Maximum', minute)).toEqual([null]);
});

test('values past the retention are deleted', () => {
  const store = filled(5);
  store.put({ ...metric, values: [6], atMs: T0_MS + KEPT_MS + 60_000 });
  expect(store.read(metric, 'Maximum', minute)).toEqual([null]);
});

test('an unsupported CloudWatch statistic is an error', () => {
  expect(() => filled(1).read(metric, 'tm90', minute)).toThrow('tm90');
});
