import * as fc from 'fast-check';

import { rowText } from '../../../../../lambdas/core/store/dynamo/attribute-text';
import { nativeRow } from '../../../../../lambdas/core/store/dynamo/native-attributes';

const back = (row: object): unknown => nativeRow(JSON.parse(rowText(row)) as Parameters<typeof nativeRow>[0]);

test('each value that JSON knows is the same after a way there and back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (row) => {
      const isSafe = !JSON.stringify(row).match(/e[+-]?\d\d|\d{16}/);
      fc.pre(isSafe);
      expect(JSON.stringify(back(row))).toBe(JSON.stringify(row));
    }),
    { numRuns: 200, seed: 21 },
  );
});

test('undefined is left out, and minus zero is zero', () => {
  const row = { a: undefined, b: { c: undefined, d: 1 }, e: [1, undefined, 2], f: -0 };
  expect(back(row)).toEqual({ b: { d: 1 }, e: [1, 2], f: 0 });
});

test('a name like that of the prototype is a name like any other', () => {
  const row = JSON.parse('{"__proto__":{"constructor":1},"constructor":"x"}') as object;
  expect(JSON.stringify(back(row))).toBe(JSON.stringify(row));
});

test.each([NaN, Infinity, 2 ** 53, 1n, Symbol('s'), () => 1, new Date(0), new Map(), new Set([1])])(
  'a row cannot hold %p',
  (value) => {
    expect(() => rowText({ value })).toThrow('a row cannot hold');
  },
);
