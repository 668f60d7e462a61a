import * as fc from 'fast-check';

import type { Dependency, Task } from '../../../../../lambdas/core/domain/workflow/definition';
import { derive, isOpen, type TaskState } from '../../../../../lambdas/core/domain/workflow/derive';
import { graphOf } from '../../../../../lambdas/core/domain/workflow/graph';
import { keyOfTask } from '../../../../../lambdas/core/domain/workflow/marks';
import { aGraph, aRunState, aTask, aWorkflow } from '../../../../support/workflow-factories';

const CONDITIONS = ['succeeded', 'failed', 'done'] as const;

/** The state of `b`, whose only dependency is `a` in this state. */
function stateAfter(mark: string | undefined, condition: Dependency['if'], a: Partial<Task> = {}): TaskState {
  const graph = aGraph({ a: aTask(a), b: aTask({ dependsOn: [{ task: 'a', if: condition }] }) });
  return derive(graph, aRunState({ marks: mark === undefined ? {} : { 0: mark } })).states[1]!;
}

test.each([
  ['s1', 'succeeded', 'ready'],
  ['s1', 'failed', 'excluded'],
  ['s1', 'done', 'ready'],
  ['x1', 'succeeded', 'ready'],
  ['f1', 'succeeded', 'blocked'],
  ['f1', 'failed', 'ready'],
  ['f1', 'done', 'ready'],
  ['c1', 'succeeded', 'blocked'],
  ['c1', 'failed', 'ready'],
  [undefined, 'succeeded', 'waiting'],
] as const)('after %s, a dependency on %s makes a task %s', (mark, condition, state) => {
  expect(stateAfter(mark, condition)).toBe(state);
});

test('a failure that is allowed meets a dependency on success', () => {
  expect(stateAfter('f1', 'succeeded', { allowFailure: true })).toBe('ready');
});

test('a task that was not chosen does not count', () => {
  const graph = aGraph({
    a: aTask(),
    handler: aTask({ dependsOn: [{ task: 'a', if: 'failed' }] }),
    normal: aTask({ dependsOn: ['a'] }),
    joined: aTask({ dependsOn: ['handler', 'normal'] }),
    only: aTask({ dependsOn: ['handler'] }),
  });
  const { states } = derive(graph, aRunState({ marks: { 0: 's1', 3: 's2' } }));
  expect(Object.fromEntries(graph.tasks.map(({ id, index }) => [id, states[index]]))).toEqual({
    a: 'succeeded',
    handler: 'excluded',
    normal: 'succeeded',
    joined: 'ready',
    only: 'excluded',
  });
});

test('join any needs one of the dependencies', () => {
  const graph = aGraph({ a: aTask(), b: aTask(), c: aTask({ dependsOn: ['a', 'b'], join: 'any' }) });
  expect(derive(graph, aRunState({ marks: { 0: 'f1' } })).states[2]).toBe('waiting');
  expect(derive(graph, aRunState({ marks: { 0: 'f1', 1: 's1' } })).states[2]).toBe('ready');
  expect(derive(graph, aRunState({ marks: { 0: 'f1', 1: 'f1' } })).states[2]).toBe('blocked');
});

test('finally tasks wait for all others, and go by their outcome', () => {
  const graph = aGraph({ a: aTask(), z1: aTask({ finally: 'failed' }), z2: aTask({ finally: 'succeeded' }) });
  expect(derive(graph, aRunState()).states).toEqual(['ready', 'waiting', 'waiting']);
  expect(derive(graph, aRunState({ marks: { 0: 'f1' } })).states).toEqual(['failed', 'ready', 'excluded']);
  expect(derive(graph, aRunState({ marks: { 0: 's1' } })).states).toEqual(['succeeded', 'excluded', 'ready']);
});

test('what may have been sent before a stop stays open until it has its mark', () => {
  const graph = aGraph({
    a: aTask(),
    b: aTask(),
    c: aTask({ dependsOn: ['a'] }),
    z: aTask({ finally: 'always' }),
  });
  const stop = { why: 'cancelled-by-user', atMs: 1, open: '0' } as const;
  const open = derive(graph, aRunState({ stop }));
  expect(open.states).toEqual(['ready', 'stopped', 'stopped', 'waiting']);
  expect(derive(graph, aRunState({ stop, marks: { 0: 's1' } })).states[3]).toBe('ready');
  const forced = aRunState({ stop: { ...stop, force: true }, marks: { 0: 's1' } });
  expect(derive(graph, forced)).toMatchObject({
    states: ['succeeded', 'stopped', 'stopped', 'stopped'],
    allSettled: true,
  });
});

/** A graph whose tasks depend on earlier ones alone. */
const workflows = fc
  .array(
    fc.record({
      dependsOn: fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...CONDITIONS)), { maxLength: 4 }),
      join: fc.constantFrom('all' as const, 'any' as const),
      allowFailure: fc.boolean(),
      enabled: fc.boolean(),
      isFinally: fc.constantFrom(undefined, undefined, undefined, 'always' as const, 'failed' as const),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((drawn) => {
    const tasks = drawn.map(({ dependsOn, join, allowFailure, enabled, isFinally }, index): Task => {
      const main = [...new Map(dependsOn.filter(([on]) => on < index && !drawn[on]!.isFinally))];
      const common = {
        ...(allowFailure && { allowFailure: true as const }),
        ...(!enabled && { enabled: false as const }),
      };
      if (isFinally && index > 0) return aTask({ ...common, finally: isFinally });
      return aTask({
        ...common,
        join,
        dependsOn: main.map(([on, condition]) => ({ task: `t${on}`, if: condition })),
      });
    });
    return aWorkflow(Object.fromEntries(tasks.map((task, index) => [`t${index}`, task])));
  });

/** A second, naive reading of the rules: truth tables, repeated until nothing changes. */
function naive(tasks: Record<string, Task>, marks: Record<string, string>): Record<string, TaskState> {
  const ids = Object.keys(tasks).sort();
  const LETTERS: Record<string, TaskState> = { s: 'succeeded', f: 'failed', c: 'cancelled', x: 'skipped' };
  const states: Record<string, TaskState> = Object.fromEntries(ids.map((id) => [id, 'waiting']));
  for (let round = 0; round <= ids.length; round++)
    for (const [index, id] of ids.entries()) {
      const task = tasks[id]!;
      const mark = marks[keyOfTask(index)];
      const main = ids.filter((one) => !tasks[one]!.finally);
      const bad = (one: string) =>
        ['failed', 'cancelled'].includes(states[one]!) && !tasks[one]!.allowFailure;
      if (mark) states[id] = LETTERS[mark[0]!]!;
      else if (task.enabled === false) states[id] = 'skipped';
      else if (task.finally) {
        const isOver = main.every((one) => !['waiting', 'ready'].includes(states[one]!));
        const wanted = task.finally === 'always' || (task.finally === 'failed') === main.some(bad);
        states[id] = isOver ? (wanted ? 'ready' : 'excluded') : 'waiting';
      } else states[id] = byEdges(task, tasks, states);
    }
  return states;
}

function byEdges(
  { dependsOn, join }: Task,
  tasks: Record<string, Task>,
  states: Record<string, TaskState>,
): TaskState {
  const edges = dependsOn
    .map(({ task, if: condition }) => {
      const state = states[task]!;
      if (state === 'excluded') return 'void';
      if (state === 'waiting' || state === 'ready') return 'open';
      const isGood = state === 'succeeded' || state === 'skipped';
      if (condition === 'done') return 'yes';
      if (condition === 'failed') return isGood ? 'no' : 'yes';
      return isGood || (state !== 'blocked' && tasks[task]!.allowFailure) ? 'yes' : 'fault';
    })
    .filter((edge) => edge !== 'void');
  if (dependsOn.length === 0) return 'ready';
  if (join === 'any' && edges.includes('yes')) return 'ready';
  if (join === 'all' && edges.includes('fault')) return 'blocked';
  if (edges.includes('open')) return 'waiting';
  if (edges.length === 0) return 'excluded';
  if (join === 'any') return edges.includes('fault') ? 'blocked' : 'excluded';
  return edges.includes('no') ? 'excluded' : 'ready';
}

test('a naive reading of the rules agrees, and no settled task changes as others end', () => {
  let played = 0;
  fc.assert(
    fc.property(
      workflows,
      fc.array(fc.tuple(fc.nat(7), fc.constantFrom('s', 's', 'f', 'c'))),
      (workflow, ends) => {
        const graph = graphOf(workflow);
        const marks: Record<string, string> = {};
        let before = derive(graph, aRunState()).states;
        for (const [pick, letter] of ends) {
          const ready = graph.tasks.filter(({ index }) => before[index] === 'ready');
          const task = ready[pick % Math.max(1, ready.length)];
          if (!task) break;
          marks[keyOfTask(task.index)] = `${letter}1`;
          const { states } = derive(graph, aRunState({ marks }));
          for (const [index, state] of states.entries()) {
            const was = before[index]!;
            if (index === task.index) continue;
            if (!isOpen(was)) expect(state).toBe(was);
            if (was === 'ready') expect(state).toBe('ready');
          }
          expect(Object.fromEntries(graph.tasks.map(({ id, index }) => [id, states[index]]))).toEqual(
            naive(workflow.tasks, marks),
          );
          before = states;
          played += 1;
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
  expect(played).toBeGreaterThan(300);
});
