import { reopened, type Reopening, translated } from '../../../../../lambdas/core/domain/workflow/reopen';
import type { RunState } from '../../../../../lambdas/core/domain/workflow/run-state';
import { T0_MS } from '../../../../support/factories';
import { aGraph, aRunState, aTask } from '../../../../support/workflow-factories';

/** Indexes by id: after 0, extract 1, load 2, other 3, tidy 4. `load` needs `extract`, and `after` `load`. */
const TASKS = {
  extract: aTask(),
  load: aTask({ dependsOn: ['extract'] }),
  after: aTask({ dependsOn: ['load'] }),
  other: aTask(),
  tidy: aTask({ finally: 'always' as const }),
};
const graph = aGraph(TASKS);
/** `load` has failed, so `after` never ran. */
const ENDED = { 1: 's1', 2: 'f2', 3: 's1', 4: 's3' };
const SUCCEEDED = { 0: 's3', 1: 's1', 2: 's2', 3: 's1', 4: 's4' };
const AT = { nowMs: T0_MS + 9_000, hasEnded: true };

const reopen = (
  marks: Record<string, string>,
  asked: Partial<Reopening>,
  { at = AT, ...run }: Partial<RunState> & { at?: typeof AT } = {},
) => reopened(graph, aRunState({ marks, ...run }), { mode: 'failed', tasks: [], skip: [], ...asked }, at);

test.each<[what: string, ...of: Parameters<typeof reopen>, wanted: ReturnType<typeof reopened>]>([
  [
    'failed: what has failed, and what follows on it; targets get the ids of before',
    ENDED,
    {},
    {},
    { marks: { 1: 's1', 3: 's1' }, rounds: { 2: '2.1', 4: '2.1' } },
  ],
  [
    'failed, of a second round: the ids are still those of the first',
    ENDED,
    {},
    { rounds: { 2: '2.1' } },
    { marks: { 1: 's1', 3: 's1' }, rounds: { 2: '3.1', 4: '2.1' } },
  ],
  [
    'failed, of some tasks: a task that has not failed opens nothing',
    ENDED,
    { tasks: ['other'] },
    {},
    { conflict: 'none of these tasks has ended so that it could run again' },
  ],
  [
    'from: the task and all that follows on it, with ids of their own',
    SUCCEEDED,
    { mode: 'from', tasks: ['load'] },
    {},
    { marks: { 1: 's1', 3: 's1' }, rounds: { 0: '2', 2: '2', 4: '2' } },
  ],
  [
    'only: what follows keeps its marks',
    SUCCEEDED,
    { mode: 'only', tasks: ['load'] },
    {},
    { marks: { 0: 's3', 1: 's1', 3: 's1', 4: 's4' }, rounds: { 2: '2' } },
  ],
  [
    'all: everything',
    SUCCEEDED,
    { mode: 'all' },
    {},
    { marks: {}, rounds: { 0: '2', 1: '2', 2: '2', 3: '2', 4: '2' } },
  ],
  [
    'a task that is skipped meanwhile counts from now on, and its followers may begin',
    ENDED,
    { skip: ['load'] },
    {},
    { marks: { 1: 's1', 2: 'x9', 3: 's1' }, rounds: { 2: '2.1', 4: '2.1' } },
  ],
  [
    'with maxParallel, what is opened is released anew',
    ENDED,
    {},
    { go: { 1: '0', 2: '1', 3: '0' } },
    { marks: { 1: 's1', 3: 's1' }, rounds: { 2: '2.1', 4: '2.1' }, go: { 1: '0', 3: '0' } },
  ],
  [
    'in a run that goes on: not while a task that follows may be at work',
    { 1: 's1', 2: 's2', 3: 's1' },
    { mode: 'from', tasks: ['load'] },
    { at: { ...AT, hasEnded: false } },
    { conflict: 'the task after may be at work because of how those have ended' },
  ],
  [
    'a run that has ended has nothing at work: what was open may begin anew',
    { 1: 's1', 2: 's2', 3: 's1' },
    { mode: 'from', tasks: ['load'] },
    {},
    { marks: { 1: 's1', 3: 's1' }, rounds: { 2: '2' } },
  ],
  [
    'nothing has failed: there is nothing to run again',
    SUCCEEDED,
    {},
    {},
    { conflict: 'none of these tasks has ended so that it could run again' },
  ],
  [
    'a task has a hundred rounds at most',
    ENDED,
    { tasks: ['load'] },
    { rounds: { 2: '100' } },
    { conflict: 'the task load has had 100 rounds' },
  ],
])('%s', (_, marks, asked, run, wanted) => {
  expect(reopen(marks, asked, run)).toEqual(wanted);
});

test('a fan-out that failed by itself keeps its items that have succeeded; with all, it keeps none', () => {
  const items = { forEach: { items: [1, 2], tolerate: 0 } };
  const fanOuts = aGraph({ a: aTask(items), b: aTask({ ...items, dependsOn: ['a'] }) });
  const asked = { mode: 'failed', tasks: [], skip: [] } as const;
  const failed = reopened(fanOuts, aRunState({ marks: { 0: 'f1' } }), asked, AT);
  expect(failed).toEqual({ marks: {}, rounds: { 0: '2.1.1' } });
  const both = reopened(fanOuts, aRunState({ marks: { 0: 's1', 1: 'f2' } }), { ...asked, mode: 'all' }, AT);
  expect(both).toEqual({ marks: {}, rounds: { 0: '2', 1: '2' } });
});

test('a child that has succeeded gets another one, a failed one runs again', () => {
  const children = aGraph({
    a: aTask({ target: undefined, job: 'copy' }),
    b: aTask({ target: undefined, job: 'copy', dependsOn: ['c'] }),
    c: aTask(),
  });
  const run = aRunState({ marks: { 0: 'f1', 1: 's3', 2: 'f1' } });
  const opened = reopened(children, run, { mode: 'failed', tasks: [], skip: [] }, AT);
  expect(opened).toEqual({ marks: {}, rounds: { 0: '2.1', 1: '2', 2: '2.1' } });
});

test('another version of a workflow takes over what it has by the ids of tasks', () => {
  const next = aGraph({ added: aTask(), extract: aTask(), load: aTask({ dependsOn: ['extract'] }) });
  const run = aRunState({ marks: ENDED, rounds: { 2: '3', 3: '2' } });
  expect(translated(run, graph, next)).toEqual({ marks: { 1: 's1', 2: 'f2' }, rounds: { 2: '3' } });
  const bounded = aGraph({ extract: aTask() }, { maxParallel: 2 });
  expect(translated(run, graph, bounded)).toEqual({ marks: { 0: 's1' }, rounds: {}, go: {} });
});
