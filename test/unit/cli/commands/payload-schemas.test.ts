import { transformSync } from 'esbuild';
import fc from 'fast-check';

import { uncheckedIn } from '../../../../cli/jobs-in-code/unchecked';
import { payloadTypes } from '../../../../cli/payload-types';
import { derivedSchema } from '../../../../client/jobs-in-code/payload-schema';
import { checkSchema } from '../../../../lambdas/core/json-schema/check-schema';
import { FORMATS } from '../../../../lambdas/core/json-schema/formats';
import { DESCRIPTIONS, KEYWORDS } from '../../../../lambdas/core/json-schema/keywords';
import { randomSchema } from '../../../support/json-schema/random-schemas';
import { Session } from '../terminal-session';

const schema = {
  type: 'object',
  properties: {
    orderId: { type: 'string' },
    count: { type: 'integer' },
    region: { enum: ['eu', 'us', null] },
    ship: { $ref: '#/$defs/ship' },
    lines: { type: 'array', items: { anyOf: [{ type: 'string' }, { const: 7 }] } },
  },
  required: ['orderId'],
  additionalProperties: false,
  $defs: { ship: { type: 'object', properties: { zip: { type: 'string' } } } },
};

describe('with an API', () => {
  let session: Session;
  beforeEach(async () => {
    session = new Session();
    await session.world.create({
      jobId: 'receipt',
      schedule: { type: 'none' },
      payload: { orderId: 'A-1', ship: { zip: '1', city: 'x' } },
      payloadSchema: schema,
    });
  });
  afterEach(() => session.end());

  const sent = async (sets: string) => {
    const { exitCode, stderr } = await session.run(`jobs run receipt ${sets}`);
    return exitCode === 0 ? (JSON.parse(session.bodies.at(-1)!) as unknown) : stderr;
  };

  test('jobs run --set changes fields of the job’s own payload, with the types of its schema', async () => {
    expect(await sent('--set orderId=42 --set count=3 --set ship.zip=007 --set region=null')).toEqual({
      payload: { orderId: '42', count: 3, ship: { zip: '007', city: 'x' }, region: null },
    });
  });

  test('what does not fit is refused by the API, with the field', async () => {
    expect(await sent('--set count=many')).toMatch(/payload\.count must be a whole number, not a text/);
    expect(await sent('--set count=1 --payload {}')).toMatch(/either --payload or --set/);
  });

  test('jobs run --set gives the parameters of a workflow', async () => {
    const tasks = { load: { target: { type: 'http', url: 'https://example.com/' } } };
    const workflow = { params: { region: 'eu', limit: 1 }, tasks };
    const flow = { jobId: 'etl', target: undefined, schedule: { type: 'none' }, workflow };
    await session.world.create(flow);
    await session.run('jobs run etl --set limit=5');
    expect(JSON.parse(session.bodies.at(-1)!)).toEqual({ params: { limit: 5 } });
  });

  test('types prints what each job takes', async () => {
    await session.world.create({ jobId: 'any' });
    expect((await session.run('types')).stdout).toBe(
      [
        '/** Payloads of jobs by their ids. Written by `quarterjack types`. */',
        'export interface Payloads {',
        '  "any": unknown;',
        '  "receipt": { "orderId": string; "count"?: number; "region"?: ("eu") | ("us") | (null); ' +
          '"ship"?: { "zip"?: string; [name: string]: unknown }; "lines"?: Array<(string) | (7)> };',
        '}',
        '',
      ].join('\n'),
    );
  });
});

test('types of hostile names and values are TypeScript, and nothing of them is code', () => {
  const hostile = fc.oneof(
    fc.constantFrom('*/', '`', '${x}', '"', "'", '\\', '\n', '\u2028', '__proto__', '}; evil(); {', '//'),
    fc.string(),
  );
  const named = fc.record({
    properties: fc.dictionary(
      hostile,
      fc.oneof(randomSchema, fc.record({ const: hostile, description: hostile })),
    ),
    enum: fc.array(hostile, { minLength: 1, maxLength: 2 }),
    required: fc.array(hostile, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(hostile, fc.oneof(named, randomSchema), (jobId, payloadSchema) => {
      const text = payloadTypes([{ jobId, payloadSchema: payloadSchema as Record<string, unknown> }]);
      expect(transformSync(text, { loader: 'ts' }).code.trim()).toBe('');
    }),
    { numRuns: 200 },
  );
});

test('types of a schema that refers to itself end', () => {
  const text = payloadTypes([{ jobId: 'a', payloadSchema: { properties: { next: { $ref: '#' } } } }]);
  expect(text.length).toBeLessThan(1_000);
});

describe('the schema that a module brings', () => {
  const standard = (input: unknown) => ({ '~standard': { version: 1, vendor: 'x', jsonSchema: { input } } });

  test('is what its library says of the input', () => {
    const made = derivedSchema(
      {},
      standard(({ target }: { target: string }) => ({ $comment: target })),
    );
    expect(made).toEqual({
      payloadSchema: { $comment: 'draft-2020-12' },
      schemaFrom: 'standard-json-schema',
    });
  });

  test.each<[string, unknown, string]>([
    ['has no JSON Schema', { '~standard': {} }, 'its library has no JSON Schema'],
    [
      'cannot be said',
      standard(() => {
        throw new Error('Date cannot be represented in JSON Schema');
      }),
      'Date cannot be represented in JSON Schema',
    ],
    [
      'is refused',
      standard(() => ({ unevaluatedProperties: false })),
      'the server refuses unevaluatedProperties',
    ],
    ['is long', standard(() => ({ title: 'x'.repeat(20_000) })), 'it has more than 16384 bytes'],
  ])('is left out if it %s', (_, given, missing) => {
    expect(derivedSchema({}, given)).toEqual({ schemaFrom: 'none', missing });
  });

  test('gives way to one of the definition', () => {
    expect(
      derivedSchema(
        { payloadSchema: {} },
        standard(() => ({})),
      ),
    ).toEqual({ schemaFrom: 'given' });
  });

  test('has named in its manifest what the server does not check, as the server names it', () => {
    const names = [...Object.keys(KEYWORDS), ...DESCRIPTIONS, 'pattern', 'patternProperties', 'minimun'];
    const formats = fc.constantFrom(...Object.keys(FORMATS), 'iri', 'constructor');
    const argument = fc.oneof(
      fc.constantFrom<unknown>('#', { type: 'string', pattern: 'x' }, [{ format: 'iri' }, true]),
      formats,
    );
    const keywords = fc.dictionary(fc.constantFrom(...names), argument, { maxKeys: 6 });
    fc.assert(
      fc.property(keywords, fc.option(formats, { nil: undefined }), (schema, format) => {
        const given = { ...schema, ...(format && { format }) };
        const { faults, unchecked } = checkSchema(given);
        fc.pre(faults.length === 0);
        expect(uncheckedIn(given)).toEqual(unchecked);
      }),
      { numRuns: 500 },
    );
  });
});
