import fc from 'fast-check';

import { mergePatch, patchBetween } from '../../../../lambdas/api/jobs/merge-patch';
import { ApiWorld } from '../world';

const RESTORE = 'POST /v1/jobs/{jobId}/changes/{number}/restore';
const json = fc.jsonValue({ maxDepth: 4 });

/** Stores a payload, replaces it, and returns it as it is after a restore of the first change. */
async function restored(payload: unknown, between: unknown, isDeleted: boolean): Promise<string> {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', payload });
  const before = JSON.stringify((await world.jobRow('a'))!.payload);
  expect(before).toBe(JSON.stringify(payload));
  await world.patch('a', { payload: between });
  if (isDeleted) await world.remove('a');
  await world.call(RESTORE, { jobId: 'a', number: '1' });
  return JSON.stringify((await world.jobRow('a'))!.payload);
}

test('a restore is exact to the byte, with nulls and nested arrays, also of a deleted job', async () => {
  await fc.assert(
    fc.asyncProperty(json, json, fc.boolean(), async (payload, between, isDeleted) => {
      expect(await restored(payload, between, isDeleted)).toBe(JSON.stringify(payload));
    }),
    { numRuns: 40 },
  );
});

test('a restore keeps the order of fields, a null in each place, and 64 kB', async () => {
  const text = 'ä€"\\\u2028'.repeat(5_300);
  const large = { z: [null, [[], [null, { b: null, a: [1e21, 0.1] }]]], a: null, text };
  expect(Buffer.byteLength(JSON.stringify(large))).toBeGreaterThan(60_000);
  for (const isDeleted of [false, true])
    expect(await restored(large, 0, isDeleted)).toBe(JSON.stringify(large));
  const world = new ApiWorld();
  await world.create({ jobId: 'a', payload: { a: 1, b: 2 } });
  await world.patch('a', { payload: { a: null, c: 3 } });
  await world.patch('a', { payload: { a: 1, c: null } });
  await world.call(RESTORE, { jobId: 'a', number: '1' });
  expect(JSON.stringify((await world.jobRow('a'))!.payload)).toBe('{"a":1,"b":2}');
});

test('a patch leads from one definition to the other, or there is none', () => {
  const fields = fc.dictionary(fc.string(), json);
  fc.assert(
    fc.property(fields, fields, (from, to) => {
      const { orderingKey: _, ...before } = from;
      const { orderingKey: __, ...after } = to;
      const patch = patchBetween(before, after);
      if (patch) expect(mergePatch(before, patch)).toEqual(after);
      else expect(JSON.stringify(after)).toContain('null');
    }),
  );
});
