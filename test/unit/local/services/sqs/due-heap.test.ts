import fc from 'fast-check';

import { DueHeap } from '../../../../../local/services/sqs/due-heap';

const drain = (heap: DueHeap<number>) => {
  const items: number[] = [];
  for (let due = heap.popDue(Infinity); due; due = heap.popDue(Infinity)) items.push(due.item);
  return items;
};

test('returns the earliest item first, and items with equal times in the order of their addition', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(20), (times, from) => {
      const heap = new DueHeap<number>();
      for (const [index, atMs] of times.entries()) heap.push(atMs, index);
      heap.retain((_, atMs) => atMs >= from);
      const expected = times
        .map((atMs, index) => ({ atMs, index }))
        .filter(({ atMs }) => atMs >= from)
        .sort((a, b) => a.atMs - b.atMs || a.index - b.index)
        .map(({ index }) => index);
      expect(drain(heap)).toEqual(expected);
    }),
  );
});
