import { shardOf } from '../../../../lambdas/core/domain/shard';

// Changing these would move every job to another shard than its entries are in.
test.each([
  ['alice/nightly-report', 1, 0],
  ['alice/nightly-report', 16, 15],
  ['alice/nightly-report', 64, 31],
  ['b%C3%B6b/report', 1_000, 972],
])('the shard of %s among %i is %i, forever', (jobKey, count, shard) => {
  expect(shardOf(jobKey, count)).toBe(shard);
});
