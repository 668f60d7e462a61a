import fc from 'fast-check';

import { ATTRIBUTES, attributesOf } from '../../../../../../local/services/dynamodb/engine/attributes';

const itemOf = (value: unknown): unknown => ATTRIBUTES.itemIn({ value }).value;

test('a row keeps its values on the way in and out, whatever its attributes are called', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(names, tie('any'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(names, value, { noNullPrototype: true }), (item) => {
      const plain = JSON.parse(JSON.stringify(item)) as Record<string, unknown>; // -0 is 0
      expect(ATTRIBUTES.itemIn(JSON.parse(JSON.stringify(attributesOf(plain))) as never)).toEqual(plain);
    }),
  );
});

test.each([
  ['1.50', 1.5],
  ['-0', 0],
  ['1E3', 1_000],
  ['0.30000000000000004', 0.30000000000000004],
  ['9007199254740991.00', 9_007_199_254_740_991],
])('the number %s is %d', (text, number) => {
  expect(itemOf({ N: text })).toBe(number);
});

test.each([
  [{ N: '12345678901234567890123' }, 'has more digits than a double'],
  [{ N: '0.1234567890123456789' }, 'has more digits than a double'],
  [{ N: 'twelve' }, 'cannot be converted to a numeric value: twelve'],
  [{ N: '' }, 'cannot be converted to a numeric value'],
  [{ B: 'AA==' }, 'an attribute of type B is not supported'],
  [{ SS: ['a'] }, 'an attribute of type SS is not supported'],
  [{}, 'must contain exactly one of the supported datatypes'],
  [{ S: 'a', N: '1' }, 'must contain exactly one of the supported datatypes'],
  [null, 'must contain exactly one of the supported datatypes'],
])('%j is refused', (attribute, message) => {
  expect(() => itemOf(attribute)).toThrow(message);
});
