import * as full from 'zod';
import * as z from 'zod/mini';

import '../../../../lambdas/core/contracts/zod-locale';

const messageOf = (schema: z.ZodMiniType | full.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

const byType = z.discriminatedUnion('type', [
  z.object({ type: z.literal('a') }),
  z.object({ type: z.literal('b') }),
]);

test.each<[string, z.ZodMiniType | full.ZodType, unknown, string]>([
  ['a list for a record', z.record(z.string(), z.string()), [], 'must be an object, not a list'],
  ['a list for an object', z.object({}), [], 'must be an object, not a list'],
  ['an object for a list', z.array(z.string()), {}, 'must be a list, not an object'],
  ['a number for a text', z.string(), 1, 'must be a text, not a number'],
  ['null for a text', z.string(), null, 'must be a text, not null'],
  ['a text for a number', z.number(), 'x', 'must be a number, not a text'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['a text for a switch', z.boolean(), 'x', 'must be true or false, not a text'],
  ['true for a text', z.string(), true, 'must be a text'],
  ['nothing', z.string(), undefined, 'is required'],
  ['nothing for a word', z.enum(['a', 'b']), undefined, 'is required: must be one of a, b'],
  ['another word', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  ['another constant', z.literal(true), false, 'must be true'],
  ['a short text', z.string().check(z.minLength(1)), '', 'must have at least 1 character'],
  ['a long text', z.string().check(z.maxLength(2)), 'abc', 'must have at most 2 characters'],
  ['another length', z.string().check(z.length(2)), 'abc', 'must have exactly 2 characters'],
  ['an empty list', z.array(z.string()).check(z.minLength(1)), [], 'must have at least 1 item'],
  ['a low number', z.number().check(z.gte(5)), 4, 'must be at least 5'],
  ['a number at its bound', z.number().check(z.gt(5)), 5, 'must be more than 5'],
  ['a high number', z.number().check(z.lt(5)), 5, 'must be less than 5'],
  ['a number between', z.number().check(z.multipleOf(5)), 4, 'must be a multiple of 5'],
  ['no address', z.email(), 'x', 'must be an email address'],
  ['no URL', z.url(), 'x', 'must be an absolute URL'],
  ['no IPv4 address', z.ipv4(), 'x', 'must be ipv4'],
  ['another pattern', z.string().check(z.regex(/^a$/)), 'b', 'must match /^a$/'],
  ['an unknown field', z.strictObject({}), { a: 1 }, 'has fields that are not known: a'],
  [
    'a name of another pattern',
    z.record(z.string().check(z.regex(/^a$/, 'expected a')), z.string()),
    { b: 'x' },
    'is not allowed as a name: expected a',
  ],
  [
    'neither of two types',
    z.union([z.string(), z.array(z.string())]),
    5,
    'must be a text or a list, not a number',
  ],
  ['another type', byType, { type: 'c' }, 'must be one of a, b'],
  ['no type', byType, {}, 'is required: must be one of a, b'],
  ['a value that a rule without words refuses', z.string().check(z.refine(() => false)), 'x', 'is not valid'],
  ['one of the whole of zod', full.record(full.string(), full.string()), [], 'must be an object, not a list'],
  ['a reason of its own', z.string('expected a name'), 1, 'expected a name'],
])('%s is refused in plain words', (_, schema, value, message) => {
  expect(messageOf(schema, value)).toBe(message);
});
