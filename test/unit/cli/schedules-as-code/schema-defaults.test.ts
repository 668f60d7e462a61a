import { type Schema, withSchemaDefaults } from '../../../../cli/schedules-as-code/schema-defaults';

const SCHEMAS: Record<string, Schema> = {
  Retry: { properties: { attempts: { default: 3 }, delay: { default: '10s' } } },
  Http: { properties: { type: { const: 'http' }, method: { default: 'POST' } } },
  Queue: { properties: { type: { const: 'sqs' }, group: { default: null } } },
  Target: { oneOf: [{ $ref: '#/components/schemas/Http' }, { $ref: '#/components/schemas/Queue' }] },
  Job: {
    properties: {
      retry: { $ref: '#/components/schemas/Retry', default: {} },
      target: { $ref: '#/components/schemas/Target' },
      targets: { items: { $ref: '#/components/schemas/Target' } },
      key: { default: null, anyOf: [{}, {}] },
      payload: {},
    },
  },
};
const filled = (value: object) => withSchemaDefaults(value, SCHEMAS.Job as Schema, SCHEMAS);

test('missing fields get their defaults, at any depth', () => {
  expect(filled({})).toEqual({ retry: { attempts: 3, delay: '10s' }, key: null });
  expect(filled({ retry: { attempts: 5 } })).toMatchObject({ retry: { attempts: 5, delay: '10s' } });
});

test('the branch that matches the value gives the defaults', () => {
  expect(
    filled({ target: { type: 'sqs' }, targets: [{ type: 'http' }, { type: 'sqs', group: 'g' }] }),
  ).toMatchObject({
    target: { type: 'sqs', group: null },
    targets: [
      { type: 'http', method: 'POST' },
      { type: 'sqs', group: 'g' },
    ],
  });
});

test('a field that is unknown, or has an unexpected type, stays as it is', () => {
  const odd = { target: 'x', targets: 5, payload: { retry: {} }, more: [1] };
  expect(filled(odd)).toMatchObject(odd);
});
