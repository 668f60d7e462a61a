import * as fc from 'fast-check';

/** What has broken other APIs: deep, long, odd and dangerous values. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  9_007_199_254_740_993,
  '',
  ' ',
  'a'.repeat(70_000),
  '\u0000',
  '\ud800',
  '\u202e',
  '😀',
  '../../etc/passwd',
  "'; DROP TABLE jobs; --",
  '{{constructor.constructor("return process")()}}',
  '<script>alert(1)</script>',
  'attribute_not_exists(#jobId)',
  '9999-12-31T23:59:59Z',
  '2026-02-29T00:00',
  'rate(0 minutes)',
  'cron(',
  'https://127.0.0.1/',
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  { __proto__: null, constructor: { prototype: { admin: true } } },
  JSON.parse('{"__proto__":{"admin":true}}'),
];

/** A value with one part of it replaced, removed or added. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .record({
      path: fc.array(fc.nat(20), { maxLength: 4 }),
      by: fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 })),
      how: fc.constantFrom('replace', 'remove', 'add'),
      name: fc.oneof(
        fc.constantFrom('jobId', 'status', '__proto__', 'constructor', 'toString', ''),
        fc.string(),
      ),
    })
    .map(({ path, by, how, name }) => change(value, path, { by, how, name }));

function change(
  value: unknown,
  [step, ...rest]: readonly number[],
  edit: { by: unknown; how: string; name: string },
): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return edit.by;
  const keys = Object.keys(value);
  if (Array.isArray(value)) {
    if (keys.length === 0) return [edit.by];
    return value.map((item: unknown, index) =>
      index === step % keys.length ? change(item, rest, edit) : item,
    );
  }
  if (edit.how === 'add' || keys.length === 0) return withKey(value, edit.name, edit.by);
  const key = keys[step % keys.length]!;
  if (edit.how === 'remove' && rest.length === 0)
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return withKey(value, key, change((value as Record<string, unknown>)[key], rest, edit));
}

/** Defines, never assigns: a key `__proto__` stays a key. */
const withKey = (object: object, key: string, value: unknown): unknown =>
  Object.fromEntries([...Object.entries(object), [key, value]]);

/** A text with some of it cut out, doubled or spoilt. */
export const spoilt = (text: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(Math.max(0, text.length - 1)),
      length: fc.nat(5),
      by: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('"', '{', '1e400', '\ufeff', ',', '\\u')),
    })
    .map(({ at, length, by }) => text.slice(0, at) + by + text.slice(at + length));
