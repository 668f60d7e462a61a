import type { Target } from '../../../../../lambdas/core/domain/target';
import { branchTaken, holds } from '../../../../../lambdas/core/domain/workflow/conditions';
import type { Comparison, Condition } from '../../../../../lambdas/core/domain/workflow/definition';
import { derive } from '../../../../../lambdas/core/domain/workflow/derive';
import { outputOf, outputOfText } from '../../../../../lambdas/core/domain/workflow/output';
import { faultsOfParams } from '../../../../../lambdas/core/domain/workflow/params';
import { readsOf, settledBefore } from '../../../../../lambdas/core/domain/workflow/references';
import { zoneOf } from '../../../../../lambdas/core/schedule/zone';
import { Renderer } from '../../../../../lambdas/core/templates/render';
import type { Json } from '../../../../../lambdas/core/templates/syntax';
import { aTarget } from '../../../../support/factories';
import { aGraph, aRunState, aTask } from '../../../../support/workflow-factories';

const rendererOf = (params: Json) => new Renderer({ roots: { params }, zone: zoneOf('UTC') });

describe('a comparison', () => {
  test.each<[comparison: Comparison, value: Json, holds: boolean]>([
    [{ equals: 0 }, 0, true],
    [{ equals: 0 }, '0', false],
    [{ equals: null }, null, true],
    [{ equals: { a: [1] } }, { a: [1] }, true],
    [{ notEquals: 'x' }, 'y', true],
    [{ notEquals: 'x' }, 'x', false],
    [{ in: [1, 'x'] }, 'x', true],
    [{ in: [1, 'x'] }, 2, false],
    [{ gt: 5 }, 5, false],
    [{ gte: 5 }, 5, true],
    [{ lt: 5 }, 4, true],
    [{ lte: 5 }, 6, false],
    [{ gte: 1, lt: 5 }, 4, true],
    [{ gte: 1, lt: 5 }, 5, false],
    [{ exists: true }, null, true],
    [{ exists: false }, 1, false],
  ])('%j of %j: %s', (comparison, value, expected) => {
    expect(holds({ value: '{{ params.x }}', ...comparison }, rendererOf({ x: value }))).toBe(expected);
  });

  test('a missing value fails, unless the comparison asks whether it exists', () => {
    const on = (comparison: Comparison) => () =>
      holds({ value: '{{ params.x }}', ...comparison }, rendererOf({}));
    expect(on({ exists: false })()).toBe(true);
    expect(on({ exists: true })()).toBe(false);
    expect(on({ equals: 1 })).toThrow('{{ params.x }} has no value');
    expect(() => holds({ value: '{{ params.x }}', gt: 1 }, rendererOf({ x: 'a' }))).toThrow(
      '"gt" needs a number',
    );
  });

  test.each<[condition: Condition, holds: boolean]>([
    [
      {
        all: [
          { value: '{{ params.a }}', equals: 1 },
          { value: '{{ params.b }}', equals: 2 },
        ],
      },
      true,
    ],
    [
      {
        all: [
          { value: '{{ params.a }}', equals: 1 },
          { value: '{{ params.b }}', equals: 1 },
        ],
      },
      false,
    ],
    [
      {
        any: [
          { value: '{{ params.a }}', equals: 2 },
          { value: '{{ params.b }}', equals: 2 },
        ],
      },
      true,
    ],
    [
      {
        any: [
          { value: '{{ params.a }}', equals: 2 },
          { value: '{{ params.b }}', equals: 1 },
        ],
      },
      false,
    ],
  ])('%j: %s', (condition, expected) => {
    expect(holds(condition, rendererOf({ a: 1, b: 2 }))).toBe(expected);
  });
});

const ROUTE = {
  on: '{{ params.rows }}',
  cases: [
    { branch: 'empty', equals: 0 },
    { branch: 'big', gt: 10 },
    { branch: 'empty', lt: 0 },
  ],
  default: 'normal',
};

test.each([
  [0, 0],
  [11, 1],
  [-1, 0],
  [5, 2],
])('a switch on %d takes the branch with the index %d', (rows, branch) => {
  expect(branchTaken(ROUTE, rendererOf({ rows }))).toBe(branch);
});

test.each([
  ['s0.0', 'ready', 'excluded', 'ready'],
  ['s0.1', 'excluded', 'ready', 'ready'],
  ['x0.1', 'excluded', 'ready', 'ready'],
  ['s0.2', 'excluded', 'excluded', 'excluded'],
  ['f0', 'blocked', 'blocked', 'blocked'],
  ['e0', 'excluded', 'excluded', 'excluded'],
])('with the mark %s of a switch, its branches are %s, %s and either %s', (mark, empty, big, either) => {
  const on = (branch: string) => ({ task: 'route', if: 'succeeded' as const, branch });
  const graph = aGraph({
    big: aTask({ dependsOn: [on('big')] }),
    either: aTask({ dependsOn: [on('empty'), on('big')], join: 'any' }),
    empty: aTask({ dependsOn: [on('empty')] }),
    route: aTask({ target: undefined, switch: ROUTE }),
  });
  const { states } = derive(graph, aRunState({ marks: { 3: mark } }));
  expect([states[2], states[0], states[1]]).toEqual([empty, big, either]);
});

describe('what has ended in any case before a task', () => {
  const settled = (tasks: Parameters<typeof aGraph>[0], id: string): string[] => {
    const graph = aGraph(tasks);
    return [...settledBefore(graph, graph.indexOf.get(id)!)]
      .map((index) => graph.tasks[index]!.id)
      .toSorted();
  };

  test.each<[what: string, tasks: Parameters<typeof aGraph>[0], before: string[]]>([
    [
      'all that it depends on, directly or not',
      { a: aTask(), b: aTask({ dependsOn: ['a'] }), x: aTask({ dependsOn: ['b'] }) },
      ['a', 'b'],
    ],
    [
      'not what a blocked task has not waited for',
      {
        a: aTask(),
        b: aTask({ dependsOn: ['a'] }),
        x: aTask({ dependsOn: [{ task: 'b', if: 'done' }] }),
      },
      ['b'],
    ],
    [
      'not what a disabled task has not waited for',
      { a: aTask(), b: aTask({ dependsOn: ['a'], enabled: false }), x: aTask({ dependsOn: ['b'] }) },
      ['b'],
    ],
    [
      'nothing, if one of several is enough',
      { a: aTask(), b: aTask(), x: aTask({ dependsOn: ['a', 'b'], join: 'any' }) },
      [],
    ],
    [
      'all others, of a finally task',
      { a: aTask(), b: aTask(), x: aTask({ finally: 'always' }) },
      ['a', 'b'],
    ],
  ])('%s', (_, tasks, before) => {
    expect(settled(tasks, 'x')).toEqual(before);
  });
});

test('an output is kept if a template names it, wherever it stands, or if its task says so', () => {
  const graph = aGraph({
    a: aTask(),
    b: aTask({ keepOutput: true }),
    c: aTask(),
    d: aTask(),
    x: aTask({
      dependsOn: ['a', 'b', 'c', 'd'],
      target: { ...aTarget(), url: 'https://example.com/{{ tasks.a.output }}' },
      input: { list: ["{{ tasks.c.status | default(tasks['d'].output) }}"] },
    }),
  });
  const { keepsOutput, of } = readsOf(graph);
  expect(keepsOutput).toEqual([true, true, false, true, false]);
  expect(new Set(of[4]!.tasks)).toEqual(new Set([0, 2, 3]));
});

test('an output that the input of an action names is kept, at any depth', () => {
  const input = { Records: [{ Data: '{{ tasks.a.output.rows }}' }] };
  const target: Target = { type: 'aws', action: 'firehose:PutRecordBatch', input };
  const { keepsOutput, of } = readsOf(aGraph({ a: aTask(), x: aTask({ dependsOn: ['a'], target }) }));
  expect([keepsOutput, of[1]!.tasks]).toEqual([[true, false], [0]]);
});

test.each<[text: string, output: unknown]>([
  ['{"a": 1}', { json: '{"a": 1}' }],
  ['ok', { json: '"ok"' }],
  ['', { json: '""' }],
  [' 5 ', { json: '5' }],
  ['['.repeat(200) + ']'.repeat(200), { json: expect.stringMatching(/^"\[/) }],
  ['x'.repeat(32_767), 'too-large'],
  [`"${'x'.repeat(32_766)}"`, { json: expect.stringMatching(/^"x/) }],
])('the output of the text %.20s', (text, output) => {
  expect(outputOfText(text)).toEqual(output);
});

test('a value without JSON is null', () => {
  expect(outputOf(undefined)).toEqual({ json: 'null' });
});

test.each<[given: Record<string, Json>, faults: string[]]>([
  [{ region: 'us', list: [] }, []],
  [{ any: 5 }, []],
  [{ region: 5 }, ['params.region: must be a text, as its default "eu", not 5']],
  [{ list: {} }, ['params.list: must be a list, as its default [], not {}']],
  [{ regio: 'us' }, ['params.regio: is no parameter of the workflow; did you mean "region"?']],
  [{ any: 'x'.repeat(16_384) }, ['params: must have at most 16384 bytes as JSON, not 16394']],
])('the parameters %.40j', (given, faults) => {
  const found = faultsOfParams({ region: 'eu', list: [], any: null }, given);
  expect(found.map(({ path, message }) => `${path}: ${message}`)).toEqual(faults);
});
