import { kindOf } from '../../simulation/kinds';
import { simulate } from '../../simulation/simulate';
import { endOfWatch, watchWritten } from '../../support/row-bounds';

/** These draw every operation and every field, so that every kind of row is written. */
const PLAYED = ['everything:1-6', 'workflows:1-2', 'calendars:1-6'];

// `test/setup-rows.js` asks this of the unit and integration tests, which play the API and all stages.
test('a row that no TTL removes is bounded by something else, whatever fails', async () => {
  for (const play of PLAYED) {
    const { first, last, planOf } = kindOf(play);
    for (let seed = first; seed <= last; seed++) await simulate(planOf(seed));
  }
  const { unbounded, withTtl } = endOfWatch();
  expect(unbounded).toEqual([]);
  expect(withTtl).toBeGreaterThan(1_000);
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
