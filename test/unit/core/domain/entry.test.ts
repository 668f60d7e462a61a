import {
  dueTimesOf,
  entryBucketKey,
  entrySortKey,
  sortKeyAfter,
} from '../../../../lambdas/core/domain/entry';
import { anAttemptEntry, anOccurrenceEntry, T0_MS } from '../../../support/factories';

const KEY = '20261201T083000.000Z#alice/nightly-report';

test.each([
  ['an occurrence', anOccurrenceEntry(), `${KEY}#o#revision-1#20261201T083000.000Z`],
  [
    'a catch-up of the same occurrence: another row',
    anOccurrenceEntry({ catchUp: true }),
    `${KEY}#c#revision-1#20261201T083000.000Z`,
  ],
  [
    'one filed later: by when to check, then by its due time',
    anOccurrenceEntry({ dueAtMs: T0_MS - 60_000, checkAtMs: T0_MS }),
    `${KEY}#o#revision-1#20261201T082900.000Z`,
  ],
  ['an attempt', anAttemptEntry({ checkAtMs: T0_MS }), `${KEY}#a#20261201T083000.000Z#2`],
])('the sort key of %s', (_, entry, key) => {
  expect(entrySortKey(entry)).toBe(key);
});

test('an entry lies in the bucket of its check time and shard', () => {
  const entry = anOccurrenceEntry({ shard: 7, dueAtMs: T0_MS - 60_000, checkAtMs: T0_MS + 59_999 });
  expect(entryBucketKey(entry)).toBe('2026-12-01T08:30#7');
});

test('the key after an instant is beyond all its entries and before those of the next', () => {
  const after = sortKeyAfter(T0_MS);
  expect(entrySortKey(anOccurrenceEntry()) < after).toBe(true);
  expect(after < entrySortKey(anOccurrenceEntry({ checkAtMs: T0_MS + 1 }))).toBe(true);
});

test('the due times of an entry', () => {
  expect(dueTimesOf(anOccurrenceEntry())).toEqual([T0_MS]);
  expect(dueTimesOf(anOccurrenceEntry({ offsetsMs: [20, 40] }))).toEqual([T0_MS, T0_MS + 20, T0_MS + 40]);
});
