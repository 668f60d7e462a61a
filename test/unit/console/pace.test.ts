import { untilDueMs } from '../../../console/api/pace';

test.each([
  ['nothing ahead', undefined, 30_000],
  ['an hour ahead', '2026-11-23T10:00:00.000Z', 30_000],
  ['ten seconds ahead', '2026-11-23T09:00:10.000Z', 11_000],
  ['a second ahead', '2026-11-23T09:00:01.000Z', 5_000],
  ['past', '2026-11-23T08:59:00.000Z', 5_000],
])('a ledger with %s asks again after its pause', (_, dueAt, ms) => {
  expect(untilDueMs(dueAt, Date.parse('2026-11-23T09:00:00Z'))).toBe(ms);
});
