import fc from 'fast-check';

import { SortedMap } from '../../../../../../local/services/dynamodb/engine/sorted-map';

const inOrder = (a: string, b: string): number => (a < b ? -1 : 1);

/** Fills a map with keys in random order, deletes some, and keeps the same pairs in a plain map. */
function filled(seed: number, count: number): { map: SortedMap<number>; expected: Map<string, number> } {
  const map = new SortedMap<number>();
  const expected = new Map<string, number>();
  let state = seed;
  const next = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  for (let step = 0; step < count; step++) {
    const key = `key-${next(count)}`;
    if (next(3) === 0) {
      map.delete(key);
      expected.delete(key);
    } else {
      map.set(key, step);
      expected.set(key, step);
    }
  }
  return { map, expected };
}

const pairs = (expected: Map<string, number>): [string, number][] =>
  [...expected].sort(([a], [b]) => inOrder(a, b));

test.each([0, 1, 7, 600, 5_000])('keeps %i changes in order', (count) => {
  const { map, expected } = filled(count + 1, count);
  const sorted = pairs(expected);
  expect([...map.ascending()]).toEqual(sorted);
  expect([...map.descending()]).toEqual([...sorted].reverse());
  expect(map.isEmpty).toBe(sorted.length === 0);
  for (let number = 0; number < count; number++)
    expect(map.get(`key-${number}`)).toBe(expected.get(`key-${number}`));
});

test('begins where it is asked to, at keys that are there and at others', () => {
  const { map, expected } = filled(3, 3_000);
  const sorted = pairs(expected);
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...sorted.map(([key]) => key)), fc.string()), (from) => {
      expect([...map.ascending(from)]).toEqual(sorted.filter(([key]) => key >= from));
      expect([...map.descending(from)]).toEqual(sorted.filter(([key]) => key <= from).reverse());
    }),
  );
});

test('grows in order and in reverse order', () => {
  const keys = Array.from({ length: 4_000 }, (_, index) => String(index).padStart(5, '0'));
  for (const order of [keys, [...keys].reverse()]) {
    const map = new SortedMap<string>();
    for (const key of order) map.set(key, key);
    expect([...map.ascending()].map(([key]) => key)).toEqual(keys);
    for (const key of order) map.delete(key);
    expect(map.isEmpty).toBe(true);
  }
});
