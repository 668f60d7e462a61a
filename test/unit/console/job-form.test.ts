import fc from 'fast-check';

import type { JobDefinition } from '../../../client/browser';
import { differences } from '../../../console/editor/diff';
import {
  atPath,
  type Fields,
  type FormField,
  isRecord,
  kindOf,
  putAt,
  shownOf,
  type TextField,
} from '../../../console/editor/form/field';
import { JOB_FIELDS } from '../../../console/editor/form/job-fields';
import { SCHEDULE_KINDS } from '../../../console/editor/form/schedule-kinds';
import { CALLED_KINDS, TARGET_KINDS } from '../../../console/editor/form/target-kinds';
import { drawnAs, textOf, valueIn } from '../../../console/editor/form/text';
import { JobBody } from '../../../lambdas/core/http/job';
import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import type { Document, Schema } from '../../support/api-contract';
import { hintsAt } from '../../support/fuzz/request-arbitrary';
import { fitting, type Hints } from '../../support/fuzz/schema-arbitrary';

const { schemas } = (openApiDocument() as unknown as Document).components;
const FORM: readonly FormField[] = [
  ...JOB_FIELDS,
  { path: 'schedule', label: 'Schedule', kind: 'one-of', kinds: SCHEDULE_KINDS },
];

const workflow = { tasks: { a: { target: { type: 'http', url: 'https://example.com' } } } };
const jobsWith = (hints: Hints): fc.Arbitrary<Fields> =>
  fitting(schemas.JobDefinition!, schemas, {
    ...hints,
    workflow: fc.constant(workflow),
  }) as fc.Arbitrary<Fields>;
const one = <Value>(...values: Value[]) => fc.constantFrom(...values);
const EXCLUDED: unknown[][] = [['2026-12-25', { calendar: 'de' }], [], [{ calendar: 'de' }, 'SAT']];
const HINTS: Hints = {
  ...hintsAt(Date.parse('2026-12-01T00:00:00Z')),
  initialDelay: one('10s', '1m'),
  maxDelay: one('1h', 'PT2H'),
  maxAge: one('24h'),
  startWithin: one('2h'),
  pingWithin: one('30m'),
  expectEvery: one('25h', '7d'),
  expectDuration: one<object>({ max: '10m' }, { min: '1m', max: '10m' }),
  debounce: one('30s'),
  environment: one({ A: 'b: c' }, { A: '' }),
  arguments: one({ '--day': '1' }),
  parameters: one({ day: ' 1' }),
  observe: one(false),
  durable: one(true),
  fatalErrors: one(['A', 'B c']),
  headers: one<object>({}, { 'X-Own': 'a: b', Accept: '*/*' }),
  exclude: one(...EXCLUDED),
};
/** One of the three that exclude each other. */
const withOneOf = ({ target, targets, workflow: tasks, ...job }: Fields): Fields =>
  target ? { ...job, target } : targets ? { ...job, targets } : { ...job, workflow: tasks ?? workflow };
const unknownFields = fc.dictionary(one('later', 'x-own', 'timezones'), fc.jsonValue(), {
  noNullPrototype: true,
});
/** Jobs as the schema has them, of which the API takes some; and with fields that no form knows. */
const jobs = fc
  .tuple(
    fc.oneof(jobsWith(HINTS).map(withOneOf), jobsWith({ url: HINTS.url!, expression: HINTS.expression! })),
    fc.oneof(fc.constant({}), unknownFields),
  )
  .map(([job, unknown]): Fields => {
    const { target, schedule } = job;
    return {
      ...job,
      ...unknown,
      ...(isRecord(target) && { target: { ...target, ...unknown } }),
      ...(isRecord(schedule) && { schedule: { ...schedule, ...unknown } }),
    };
  });

/** A field of text that the form shows for a value: where it is, with the value of its own form. */
interface PlaceOfText {
  field: TextField;
  path: string;
}

function textsOf(fields: readonly FormField[], form: unknown, path = ''): PlaceOfText[] {
  return shownOf(fields, form).flatMap((field) => {
    const at = [path, field.path].filter(Boolean).join('.');
    const value = atPath(form, field.path);
    if (field.kind !== 'one-of' && field.kind !== 'each') return [{ field, path: at }];
    if (field.kind === 'each') return []; // lists are changed as wholes
    const kind = kindOf(field.kinds, value);
    return kind ? textsOf(field.kinds[kind]!.fields, value, at) : [];
  });
}

/** The job after each of its fields was typed anew, as it is shown. */
const retyped = (job: unknown): unknown =>
  textsOf(FORM, job).reduce<unknown>((at, { field, path }) => {
    const value = atPath(at, path);
    const kind = drawnAs(field, value);
    const text = textOf(kind, value);
    return text === '' ? at : putAt(at, path, valueIn(field, kind, text, undefined));
  }, job);

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a job whose fields are all typed anew, from what the form shows, is the same job', () => {
  let accepted = 0;
  fc.assert(
    fc.property(jobs, (job) => {
      if (JobBody.safeParse(job).success) accepted++;
      expect(json(retyped(json(job)))).toEqual(json(job));
    }),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(20);
}, 60_000);

test('what is typed into a field changes that field alone, and typing what was there brings it back', () => {
  fc.assert(
    fc.property(jobs, fc.nat(), fc.string({ minLength: 1 }), (job, index, typed) => {
      const texts = textsOf(FORM, job).filter(({ field }) => field.kind === 'text');
      const { field, path } = texts[index % texts.length]!;
      const before = atPath(job, path);
      const kind = drawnAs(field, before);
      if (kind !== 'text') return;
      const changed = putAt(job, path, valueIn(field, kind, typed, before));
      for (const one of differences(job, changed)) expect(`${path}.`).toContain(`${one.path.join('.')}.`);
      const back = putAt(changed, path, before);
      // An object that was empty before is gone: it said nothing.
      expect(differences(job, back).filter(({ before: was }) => JSON.stringify(was) !== '{}')).toEqual([]);
    }),
  );
});

test('a value that a text could not give back is shown as JSON', () => {
  const pairs = JOB_FIELDS.find(({ path }) => path === 'tags') as TextField;
  expect(drawnAs(pairs, { team: 'billing' })).toBe('pairs');
  for (const other of [{ team: 7 }, { team: ' billing' }, { 'a:b': 'c' }, { team: 'a\nb' }, ['team'], 'team'])
    expect([other, drawnAs(pairs, other)]).toEqual([other, 'json']);
});

test('a text that says nothing is told in words, and is no value', () => {
  const field = (kind: TextField['kind']): TextField => ({ path: 'x', label: 'X', kind });
  const read = (kind: TextField['kind'], text: string) => () => valueIn(field(kind), kind, text, undefined);
  expect(read('number', '3x')).toThrow('This is no number.');
  expect(read('pairs', 'team')).toThrow('Each line is a name, a colon and a value.');
  expect(read('object', '[]')).toThrow('This is no object');
  expect(read('json', '{')).toThrow(SyntaxError);
  expect(read('words', ' 408, 5xx ')()).toEqual([408, '5xx']);
  expect(read('exclusions', '2026-12-24\n\n calendar: de ')()).toEqual(['2026-12-24', { calendar: 'de' }]);
  expect(read('text', '')()).toBeUndefined();
});

test('without a value, the object that held it goes too; an object that was there stays', () => {
  const job = { retry: {}, target: { type: 'http', tls: { ca: '{{ secrets.ca }}' } } };
  expect(putAt(job, 'target.tls.ca', undefined)).toEqual({ retry: {}, target: { type: 'http' } });
  expect(putAt(job, 'retry.maxDelay', undefined)).toBe(job);
});

const resolved = (schema: Schema): Schema =>
  typeof schema.$ref === 'string' ? resolved(schemas[schema.$ref.split('/').at(-1)!]!) : schema;
const propertiesOf = (schema: Schema): [string, Schema][] =>
  Object.entries((schema.properties ?? {}) as Record<string, Schema>);
/** The kinds of object that a schema allows. */
const branchesOf = (schema: Schema): Schema[] =>
  ((schema.oneOf ?? schema.anyOf ?? []) as Schema[])
    .map(resolved)
    .flatMap((one) => (one.properties ? [one] : branchesOf(one)));
const typeOf = (branch: Schema): string =>
  String(propertiesOf(branch).find(([name]) => name === 'type')?.[1].const);

/** What the schema of an object says and its form does not, or says otherwise; and the fields of the form. */
function drifts(schema: Schema, fields: readonly FormField[], path = ''): string[] {
  return propertiesOf(schema).flatMap(([name, given]) => {
    const property = resolved(given);
    const at = path === '' ? name : `${path}.${name}`;
    if (at === 'type') return [];
    const field = fields.find((one) => one.path === at);
    if (!field)
      return property.type === 'object' && property.properties ? drifts(property, fields, at) : [at];
    if (field.kind === 'one-of') return driftsOfKinds(property, field.kinds, at);
    if (field.kind === 'each') return driftsOfKinds(resolved(property.items as Schema), field.kinds, at);
    return driftsOfText(property, field, at);
  });
}

function driftsOfText(property: Schema, field: TextField, at: string): string[] {
  const found: string[] = [];
  if (property.enum && field.kind === 'choice') {
    const words = (field.values ?? []).map(([value]) => value);
    const missing = (property.enum as string[]).filter((value) => !words.includes(value));
    found.push(...missing.map((value) => `${at}: no ${value}`));
  }
  if (property.default !== undefined && property.default !== null && field.usual !== undefined) {
    const usual = textOf(field.kind, property.default);
    if (usual !== field.usual) found.push(`${at}: usual is ${usual}`);
  }
  return found;
}

const driftsOfKinds = (
  schema: Schema,
  kinds: Readonly<Record<string, { fields: readonly FormField[] }>>,
  at: string,
) =>
  branchesOf(schema).flatMap((branch) => {
    const row = kinds[typeOf(branch)];
    if (!row) return [`${at}: no ${typeOf(branch)}`];
    const names = propertiesOf(branch).map(([name]) => name);
    const extra = row.fields.filter(({ path }) => path !== '' && !names.includes(path.split('.')[0]!));
    return [
      ...drifts(branch, row.fields).map((drift) => `${at} ${typeOf(branch)}: ${drift}`),
      ...extra.map(({ path }) => `${at} ${typeOf(branch)}: the API has no ${path}`),
    ];
  });

test('each field of the API has a field of the form, with its values and its default', () => {
  const job = resolved(schemas.JobDefinition!);
  // A workflow has an editor of its own.
  const { jobId: _, workflow: __, ...properties } = job.properties as Record<string, Schema>;
  expect(drifts({ ...job, properties }, FORM)).toEqual([]);
});

test('each type of target and schedule of the API begins as the API would take it, once it is filled', () => {
  expect(Object.keys(TARGET_KINDS).sort()).toEqual(branchesOf(schemas.Target!).map(typeOf).sort());
  expect(Object.keys(CALLED_KINDS).sort()).toEqual(branchesOf(schemas.CalledTarget!).map(typeOf).sort());
  const schedules = branchesOf(schemas.Schedule!).map(typeOf);
  expect(Object.keys(SCHEDULE_KINDS).sort()).toEqual([...schedules, 'text'].sort());
  for (const [type, { start, fields }] of Object.entries(TARGET_KINDS)) {
    expect(start).toMatchObject({ type });
    const job = { schedule: { type: 'none' }, target: start } as JobDefinition;
    const unknown = JobBody.safeParse(job).error?.issues.filter(({ code }) => code === 'unrecognized_keys');
    expect([type, unknown ?? []]).toEqual([type, []]);
    expect(fields.length).toBeGreaterThan(0);
  }
});
