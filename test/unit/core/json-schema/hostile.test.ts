import fc from 'fast-check';

import { checkSchema } from '../../../../lambdas/core/json-schema/check-schema';
import { evaluate } from '../../../../lambdas/core/json-schema/evaluate';
import type { Schema } from '../../../../lambdas/core/json-schema/keywords';
import { schemasWith } from '../../../support/json-schema/random-schemas';

const DEEP = process.env.QUARTERJACK_DEEP !== undefined;
const listOf = (length: number, item: (at: number) => unknown) => Array.from({ length }, (_, at) => item(at));

/** Payloads of about 64 kB, each bad for other keywords. */
const VALUES: readonly unknown[] = [
  listOf(32_000, () => 1),
  listOf(21_000, () => ({})),
  listOf(12_000, (at) => at / 7),
  listOf(64, (at) => 'x'.repeat(990) + at),
  listOf(3_000, (at) => ({ a: at, b: { c: [at] } })),
  Object.fromEntries(listOf(7_000, (at) => [`k${at}`, at]) as [string, number][]),
  '😀'.repeat(16_000),
  listOf(28, () => 0).reduce<unknown>((inner) => ({ a: inner, b: [1, 2, 3] }), 1),
];

const heavy = fc.constantFrom<Schema>(
  { $ref: '#' },
  { $ref: '#/$defs/a' },
  { $ref: '#/$defs/b' },
  { uniqueItems: true },
  { minLength: 20_000, maxLength: 17_000 },
  { minProperties: 6_999 },
  { multipleOf: 1e-300 },
  { format: 'uri' },
  { enum: [[1], {}, 'x', 1.5] },
  { required: ['k1', 'k2', '__proto__', 'a'] },
  { pattern: '^x*x*x*y$' },
);
const part = schemasWith(heavy);

/** A schema that the server takes: hostile by the number of its parts, and by references in circles. */
const hostile = fc
  .record({ a: part, b: part, root: part, times: fc.integer({ min: 1, max: 60 }) })
  .map(({ a, b, root, times }) => ({ $defs: { a, b }, allOf: listOf(times, () => root) }) as Schema)
  .filter((schema) => checkSchema(schema).faults.length === 0);

/** It is measured beside each hostile schema: it takes longer too if other work shares the processor. */
const plain = { schema: { items: { type: 'number' } }, value: listOf(49_999, () => 1) };
/** The goal is 20 ms where 100,000 plain steps take 2 ms. */
const MOST_TIMES = 10;

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test('no schema takes long on 64 kB', () => {
  let tooComplex = 0;
  const runs = DEEP ? 10_000 : 150;
  fc.assert(
    fc.property(hostile, fc.constantFrom(...VALUES), (schema, value) => {
      const work = () => {
        if (evaluate(schema, value).is === 'too-complex') tooComplex++;
      };
      const plainMs = () => cpuMsOf(() => expect(evaluate(plain.schema, plain.value).is).toBe('fits'));
      // The first try may include a collection of garbage that earlier ones have left.
      const isFast = listOf(4, () => 0).some(() => cpuMsOf(work) < MOST_TIMES * plainMs());
      expect(isFast).toBe(true);
    }),
    { numRuns: runs, endOnFailure: true },
  );
  expect(tooComplex).toBeGreaterThan(runs / 20);
});
