import { objectIn, payloadFieldsOf, shownIn, withField } from '../../../console/parts/payload-fields';

const schema = {
  properties: {
    orderId: { type: 'string', title: 'Order', description: '<b>of the shop</b>', pattern: '^x*x*y$' },
    count: { type: 'integer' },
    express: { type: 'boolean' },
    region: { enum: ['eu', 'us', null] },
    ship: { type: 'object' },
    codes: { enum: [[1], [2]] },
    any: true,
    __proto: {},
  },
  required: ['orderId'],
};

const fields = payloadFieldsOf(schema);
const [orderId, count, express, region] = fields as [
  (typeof fields)[0],
  (typeof fields)[0],
  (typeof fields)[0],
  (typeof fields)[0],
];

test('the form has the texts, numbers and choices of a schema', () => {
  expect(fields).toEqual([
    {
      name: 'orderId',
      title: 'Order',
      hint: '<b>of the shop</b>',
      isRequired: true,
      kind: 'text',
      values: [],
    },
    { name: 'count', title: 'count', hint: undefined, isRequired: false, kind: 'number', values: [] },
    {
      name: 'express',
      title: 'express',
      hint: undefined,
      isRequired: false,
      kind: 'choice',
      values: [true, false],
    },
    {
      name: 'region',
      title: 'region',
      hint: undefined,
      isRequired: false,
      kind: 'choice',
      values: ['eu', 'us', null],
    },
  ]);
  expect(payloadFieldsOf(undefined)).toEqual([]);
  expect(payloadFieldsOf({ properties: [] as never })).toEqual([]);
});

test('what is typed into a field is in the text, with the type of the schema', () => {
  const typed = [
    [orderId, '42'],
    [count, '3'],
    [express, 'true'],
    [region, 'null'],
  ] as const;
  const text = typed.reduce((whole, [field, value]) => withField(whole, field, value), '{"ship":{}}');
  const whole = JSON.parse(text) as Record<string, unknown>;
  expect(whole).toEqual({ ship: {}, orderId: '42', count: 3, express: true, region: null });
  expect(typed.map(([field]) => shownIn(field, whole))).toEqual(['42', '3', 'true', 'null']);
});

test('an empty field is none, and what is no number stays as typed for the API to refuse', () => {
  expect(withField('{"count":3}', count, '')).toBe('');
  expect(JSON.parse(withField('', count, '3x'))).toEqual({ count: '3x' });
});

test('a text that is no object has no fields', () => {
  expect([objectIn('[1]'), objectIn('{'), objectIn('')]).toEqual([undefined, undefined, {}]);
});
