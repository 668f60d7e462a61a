import { faultsOfGraph } from '../../../../../lambdas/core/domain/workflow/check';
import { cycleIn, levelsOf } from '../../../../../lambdas/core/domain/workflow/graph';
import { aTask, aWorkflow } from '../../../../support/workflow-factories';

test('a graph without faults has levels, finally tasks last', () => {
  const workflow = aWorkflow({
    d: aTask({ dependsOn: ['b', 'c'] }),
    b: aTask({ dependsOn: ['a'] }),
    c: aTask({ dependsOn: ['a'] }),
    a: aTask(),
    z: aTask({ finally: 'always' }),
  });
  expect(faultsOfGraph(workflow)).toEqual([]);
  expect(levelsOf(workflow)).toEqual([['a'], ['b', 'c'], ['d'], ['z']]);
});

test('each fault names the task, the field and what was probably meant', () => {
  const faults = faultsOfGraph(
    aWorkflow({
      extract: aTask(),
      load: aTask({ dependsOn: ['extrct', 'extract', 'extract', 'load', 'clean'] }),
      clean: aTask({ finally: 'always', dependsOn: ['extract'] }),
      '9bad': aTask(),
    }),
  );
  expect(faults).toEqual([
    { path: 'tasks.load.dependsOn.0', message: 'no task "extrct"; did you mean "extract"?' },
    { path: 'tasks.load.dependsOn.2', message: '"extract" is given more than once' },
    { path: 'tasks.load.dependsOn.3', message: 'is the task itself' },
    { path: 'tasks.load.dependsOn.4', message: expect.stringContaining('is a finally task') },
    { path: 'tasks.clean.dependsOn', message: expect.stringContaining('must be empty beside "finally"') },
    { path: 'tasks.9bad', message: expect.stringContaining('is not a task id') },
  ]);
});

test('a cycle is named in its order', () => {
  const workflow = aWorkflow({
    a: aTask({ dependsOn: ['c'] }),
    b: aTask({ dependsOn: ['a'] }),
    c: aTask({ dependsOn: ['b'] }),
    after: aTask({ dependsOn: ['c'] }),
  });
  expect(cycleIn(workflow)).toEqual(['a', 'b', 'c', 'a']);
  expect(faultsOfGraph(workflow)).toEqual([
    { path: 'tasks.a.dependsOn', message: 'is a cycle: a → b → c → a' },
  ]);
});

test('there has to be a task that is not a finally task, and not more than a thousand', () => {
  expect(faultsOfGraph(aWorkflow({ z: aTask({ finally: 'always' }) }))).toEqual([
    { path: 'tasks', message: 'must have a task without "finally"' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`t${index}`, aTask()]));
  expect(faultsOfGraph(aWorkflow(many))).toEqual([
    { path: 'tasks', message: 'must have 1 to 1000 tasks, not 1001' },
  ]);
});
