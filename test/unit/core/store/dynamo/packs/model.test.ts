import { createHash } from 'node:crypto';

import { explore } from './model';
import type { ModelFault } from './states';

const lastByteOf = (jobKey: string): number => createHash('sha256').update(jobKey).digest().at(-1)!;

/** The second job ends a pack, so that the next entries of one page take two writes. */
const BORDERED = ['u/a', 'u/b39', 'u/c'];
const TOGETHER = ['u/a', 'u/x', 'u/c'];

test('the second job is a border in one of the models alone', () => {
  const isBorder = (jobKey: string) => lastByteOf(jobKey) % 32 === 0;
  expect(BORDERED.map(isBorder)).toEqual([false, true, false]);
  expect(TOGETHER.map(isBorder)).toEqual([false, false, false]);
});

test.each([
  ['one pack', TOGETHER],
  ['a pack and a row', BORDERED],
])('no order of steps ends a series whose next entries are %s', (_, names) => {
  const { states, violation } = explore(names);
  expect(violation).toBeUndefined();
  expect(states).toBeGreaterThan(10_000);
});

test.each<[ModelFault, RegExp]>([
  ['fixed-names', /is lost$/],
  ['message-first', /is sent before its next entry$/],
  ['dropped-at-border', /is sent before its next entry$/],
])('the model finds the fault %s', (fault, what) => {
  expect(explore(BORDERED, fault).violation?.what).toMatch(what);
});
