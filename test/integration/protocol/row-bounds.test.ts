import { kindOf } from '../../simulation/kinds';
import { simulate } from '../../simulation/simulate';
import { endOfWatch, watchWritten } from '../../support/row-bounds';

// `test/setup-rows.js` asks this of unit and integration tests, and the simulation asks it of each seed.
test('a row that no TTL removes is bounded by something else, whatever fails', async () => {
  await simulate(kindOf('everything:1-1').planOf(1));
  const { unbounded, withTtl } = endOfWatch();
  expect(unbounded).toEqual([]);
  expect(withTtl).toBeGreaterThan(100);
});

test('the watch tells of a row that nothing bounds, and of a version that nothing names', () => {
  const rows = [
    { userId: 'alice', jobId: '#new#1' },
    { jobId: '#calendar#alice/days', execId: 'v1' },
    { jobId: '#calendar#alice/days', execId: 'v2', expiresAtSec: 1 },
  ];
  for (const Item of rows) {
    const TableName = 'userId' in Item ? 'jobs' : 'executions';
    watchWritten((table) => (table === TableName ? Item : undefined), 'PutCommand', { TableName, Item });
  }
  expect(endOfWatch()).toEqual({ unbounded: ['jobs #new', '#calendar#alice/days v1'], withTtl: 1 });
});
