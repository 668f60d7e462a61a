import fc from 'fast-check';

import type { Reply, Json } from './interpreter';

type Fields = Record<string, unknown>;

/** Paths that random inputs and results often have, and sometimes have not. */
const path = () =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('$.a', '$.b', '$.n', '$.list') },
    { weight: 1, arbitrary: fc.constantFrom('$.a.c', '$.a.n', '$.list[0]', "$['b']", '$.r', '$.x.n') },
    { weight: 1, arbitrary: fc.constant('$.r.ResponseBody.n') },
  );

const scalar = (): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom<Json>('u', 'v', '{{ run.id }}', '', null, true, false),
    fc.integer({ min: -2, max: 3 }),
  );

export const someInput = (): fc.Arbitrary<Record<string, Json>> => {
  const all = {
    a: fc.oneof(scalar(), fc.record({ c: scalar(), n: fc.integer({ min: 0, max: 3 }) })),
    b: scalar(),
    n: fc.integer({ min: 0, max: 3 }),
    list: fc.array(scalar(), { maxLength: 2 }),
  };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(all) },
    { weight: 1, arbitrary: fc.record(all, { requiredKeys: [] }) },
  );
};

const maybe = (name: string, value: fc.Arbitrary<unknown>, freq = 3): fc.Arbitrary<Fields> =>
  fc.option(value, { nil: undefined, freq }).map((one) => (one === undefined ? {} : { [name]: one }));

const fields = (...parts: fc.Arbitrary<Fields>[]): fc.Arbitrary<Fields> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Fields);

/** Options are rare: each path may be missing, and then a machine ends early. */
const rarely = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> =>
  fc
    .tuple(fc.integer({ min: 0, max: 11 }), value)
    .map(([draw, one]): Fields => (draw === 0 ? { [name]: one } : {}));

const payload = (): fc.Arbitrary<Fields> =>
  fields(
    maybe('fixed', scalar()),
    maybe('taken.$', path(), 2),
    rarely('all.$', fc.constant('$')),
    rarely('inner', fc.record({ 'deep.$': path() })),
  );

const atom = (): fc.Arbitrary<Fields> =>
  fc
    .tuple(
      fc.constantFrom('$.a', '$.b', '$.n', '$.r.ResponseBody.n', '$.a.n'),
      fc.oneof(
        fc.record({ IsPresent: fc.boolean() }),
        fc.record({ IsNull: fc.boolean() }),
        fc.record({ IsString: fc.boolean() }),
        fc.record({ IsNumeric: fc.boolean() }),
        fc.record({ IsBoolean: fc.boolean() }),
        fc.record({ StringEquals: fc.constantFrom('u', 'v') }),
        fc.record({ BooleanEquals: fc.boolean() }),
        fc.record({ NumericEquals: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ NumericGreaterThan: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ NumericGreaterThanEquals: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ NumericLessThan: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ NumericLessThanEquals: fc.integer({ min: 0, max: 3 }) }),
      ),
    )
    .map(([Variable, comparison]) => ({ Variable, ...comparison }));

/** Mostly asks first whether the value is there, as real machines do. */
const safeAtom = (): fc.Arbitrary<Fields> =>
  fc
    .tuple(fc.integer({ min: 0, max: 5 }), atom())
    .map(([draw, one]) => (draw > 0 ? { And: [{ Variable: one.Variable, IsPresent: true }, one] } : one));

const rule = (): fc.Arbitrary<Fields> =>
  fc.oneof(
    { weight: 2, arbitrary: atom() },
    { weight: 5, arbitrary: safeAtom() },
    { weight: 1, arbitrary: fc.record({ And: fc.array(safeAtom(), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ Or: fc.array(safeAtom(), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ Not: safeAtom() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        Or: fc.tuple(fc.record({ Not: atom() }), fc.record({ And: fc.tuple(safeAtom(), atom()) })),
      }),
    },
  );

const resultPath = () =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant({ ResultPath: '$.r' }) },
    { weight: 8, arbitrary: fc.constant({ ResultPath: null }) },
    { weight: 1, arbitrary: fc.constant({ ResultPath: '$.x' }) },
    { weight: 1, arbitrary: fc.constant({}) },
  );

const inAndOut = (): fc.Arbitrary<Fields>[] => [
  rarely('InputPath', fc.constantFrom('$', '$.a', null)),
  rarely('OutputPath', fc.constantFrom('$', '$.r', '$.a', null)),
];

interface Context {
  /** Prefix of the names of all states. */
  prefix: string;
  size: number;
  depth: number;
}

/** Where a state stands among the others: it leads to later ones alone, so a machine has no loops. */
interface Position extends Context {
  index: number;
}
const nameAt = ({ prefix }: Context, index: number): string => `${prefix}${index}`;
const isLast = ({ index, size }: Position): boolean => index === size - 1;

const later = (at: Position): fc.Arbitrary<string> =>
  fc
    .integer({ min: Math.min(at.index + 1, at.size - 1), max: at.size - 1 })
    .map((index) => nameAt(at, index));

const onward = (at: Position): fc.Arbitrary<Fields> =>
  isLast(at)
    ? fc.constant({ End: true })
    : fc.oneof(
        { weight: 6, arbitrary: fc.constant({ Next: nameAt(at, at.index + 1) }) },
        { weight: 2, arbitrary: later(at).map((Next) => ({ Next })) },
        { weight: 1, arbitrary: fc.constant({ End: true }) },
      );

const retry = () =>
  fc
    .integer({ min: 0, max: 2 })
    .map((MaxAttempts) => [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts }]);

const handlers = (at: Position) =>
  fc.tuple(later(at), resultPath()).map(([Next, to]) => [{ ErrorEquals: ['States.ALL'], Next, ...to }]);

const task = (at: Position): fc.Arbitrary<Fields> =>
  fields(
    fc.constant({ Type: 'Task', Resource: 'arn:aws:states:::http:invoke' }),
    payload().map((RequestBody) => ({
      Parameters: {
        ApiEndpoint: `https://example.com/${nameAt(at, at.index)}`,
        Method: 'POST',
        Authentication: { ConnectionArn: 'arn:aws:events:eu-central-1:111122223333:connection/c' },
        RequestBody,
      },
    })),
    ...inAndOut(),
    rarely(
      'ResultSelector',
      fc.constantFrom({ 'n.$': '$.ResponseBody.n' }, { k: 1, 'b.$': '$.ResponseBody' }),
    ),
    resultPath(),
    maybe('Retry', retry(), 2),
    onward(at),
    isLast(at) ? fc.constant({}) : maybe('Catch', handlers(at), 1),
  );

const pass = (at: Position): fc.Arbitrary<Fields> =>
  fields(
    fc.constant({ Type: 'Pass' }),
    ...inAndOut(),
    fc.oneof(
      fc.constant({}),
      fc.record({ Result: fc.oneof(scalar(), fc.record({ n: scalar(), c: scalar() })) }),
      payload().map((Parameters) => ({ Parameters })),
    ),
    resultPath(),
    onward(at),
  );

const wait = (at: Position): fc.Arbitrary<Fields> =>
  fields(
    fc.record({ Type: fc.constant('Wait'), Seconds: fc.integer({ min: 0, max: 2 }) }),
    ...inAndOut(),
    onward(at),
  );

const choice = (at: Position): fc.Arbitrary<Fields> =>
  fields(
    fc.constant({ Type: 'Choice' }),
    ...inAndOut(),
    fc
      .array(fc.tuple(rule(), later(at)), { minLength: 1, maxLength: 4 })
      .map((rules) => ({ Choices: rules.map(([one, Next]) => ({ ...one, Next })) })),
    maybe('Default', later(at), 6),
  );

const end = (): fc.Arbitrary<Fields> =>
  fc.oneof(
    fields(fc.constant({ Type: 'Succeed' }), ...inAndOut()),
    fc.constant({ Type: 'Fail', Error: 'E', Cause: 'no {{ braces }}' }),
  );

const branches = (at: Position) =>
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }).chain((sizes) =>
    fc.tuple(
      ...sizes.map((size, branch) => {
        const prefix = `${nameAt(at, at.index)}-${branch}-`;
        return machine({ prefix, size, depth: at.depth - 1 });
      }),
    ),
  );

const parallel = (at: Position): fc.Arbitrary<Fields> =>
  fields(
    fc.constant({ Type: 'Parallel' }),
    ...inAndOut(),
    branches(at).map((Branches) => ({ Branches })),
    resultPath(),
    onward(at),
  );

const stateAt = (at: Position): fc.Arbitrary<Fields> =>
  fc.oneof(
    { weight: 8, arbitrary: task(at) },
    { weight: 2, arbitrary: pass(at) },
    { weight: 1, arbitrary: wait(at) },
    ...(at.depth > 0 ? [{ weight: 2, arbitrary: parallel(at) }] : []),
    isLast(at) ? { weight: 3, arbitrary: end() } : { weight: 5, arbitrary: choice(at) },
  );

function states(context: Context): fc.Arbitrary<Fields> {
  const all = Array.from({ length: context.size }, (_, index) => stateAt({ ...context, index }));
  return fc
    .tuple(...all)
    .map((made) => Object.fromEntries(made.map((state, index) => [nameAt(context, index), state])));
}

function machine(context: Context): fc.Arbitrary<Fields> {
  return states(context).map((States) => ({ StartAt: `${context.prefix}0`, States }));
}

export const someMachine = (): fc.Arbitrary<Fields> =>
  fc.integer({ min: 1, max: 7 }).chain((size) => machine({ prefix: 's', size, depth: 1 }));

/** What calls are replied to with, in turn. */
export const someReplies = (): fc.Arbitrary<Reply[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ status: fc.constant(200), body: someInput() as fc.Arbitrary<Json> }),
      },
      { weight: 1, arbitrary: fc.record({ status: fc.constant(200), body: scalar() }) },
      { weight: 2, arbitrary: fc.record({ status: fc.constantFrom(404, 503, 400) }) },
    ),
    { minLength: 1, maxLength: 8 },
  );
