import type { Task, Workflow } from '../../../../../lambdas/core/domain/workflow/definition';
import type { RunState } from '../../../../../lambdas/core/domain/workflow/run-state';
import { next, type Seen } from '../../../../../lambdas/core/ending/runs/next-action';
import { anExecution, T0_MS } from '../../../../support/factories';
import { aGraph, aRunState, aTask } from '../../../../support/workflow-factories';

const NOW_MS = T0_MS + 1_000;
const CANCEL = { reason: 'cancelled-by-user', atMs: T0_MS } as const;
const STOP = { why: 'cancelled-by-user', atMs: T0_MS, open: '0' } as const;

const when = { value: '{{ run.id }}', equals: 'x' };
const CALL = aTask();
const JOIN = aTask({ target: undefined });
const CHILD = aTask({ target: undefined, job: 'other' });
const FAN_OUT = aTask({ forEach: { items: [1, 2] } });
const WAIT = aTask({ target: undefined, delay: '1m' });
const APPROVAL = aTask({ target: undefined, approval: { timeout: '1h', onTimeout: 'fail' } });
const AWAIT = aTask({
  target: undefined,
  await: {
    job: 'other',
    window: 'same-day',
    need: 'all',
    onFailure: 'fail',
    checkEvery: '5m',
    timeout: '1h',
  },
});

interface Given extends Partial<Omit<Seen, 'run' | 'row' | 'graph'>> {
  run?: Partial<RunState>;
  cancelRequested?: typeof CANCEL;
  workflow?: Partial<Workflow>;
}

/** Tasks have the index of their place. Unless it is said otherwise, all of them are fresh. */
function nextOf(tasks: readonly Task[], { run, cancelRequested, workflow, ...given }: Given = {}) {
  const graph = aGraph(Object.fromEntries(tasks.map((task, index) => [`t${index}`, task])), workflow);
  const row = anExecution({ status: 'running', ...(cancelRequested && { cancelRequested }) });
  const seen: Seen = {
    row,
    run: { ...row, run: aRunState(run) },
    graph,
    fresh: new Set(tasks.keys()),
    passed: new Map(),
    settles: false,
    jobGone: false,
    lost: 0,
    by: 'other',
    cancelled: [],
    ...given,
  };
  return next(seen, NOW_MS);
}

const passed = new Map([[0, 0]]);
const NOTHING = { fresh: new Set<number>() };

test.each<[string, readonly Task[], Given, ReturnType<typeof next>]>([
  ['a task is decided on before anything begins', [CALL, aTask({ when })], {}, { do: 'decide', tasks: [1] }],
  ['one task is decided on at a time', [aTask({ when }), aTask({ when })], {}, { do: 'decide', tasks: [0] }],
  ['whatever sees a join decides on it', [{ ...JOIN, when }], NOTHING, { do: 'decide', tasks: [0] }],
  ['what was decided on begins', [aTask({ when })], { passed }, { do: 'send', tasks: [0] }],
  ['an approval that was not decided on', [{ ...APPROVAL, when }], {}, { do: 'decide', tasks: [0] }],
  ['a fan-out is laid out before calls are sent', [CALL, FAN_OUT], {}, { do: 'lay-out', tasks: [1] }],
  ['one fan-out is laid out at a time', [FAN_OUT, FAN_OUT], {}, { do: 'lay-out', tasks: [0] }],
  [
    'a task is released before it is decided on',
    [aTask({ when })],
    { workflow: { maxParallel: 1 }, run: { go: {} } },
    { do: 'release', tasks: [0] },
  ],
  [
    'what is released is decided on before further tasks are released',
    [aTask({ when }), CALL],
    { workflow: { maxParallel: 2 }, run: { go: { 0: '1' } } },
    { do: 'decide', tasks: [0] },
  ],
  [
    'all are released before one of them is sent',
    [CALL, CALL],
    { workflow: { maxParallel: 2 }, run: { go: { 0: '1' } } },
    { do: 'release', tasks: [1] },
  ],
  [
    'what a stop has left open is settled before finally tasks go on',
    [CALL, { ...JOIN, finally: 'always' }],
    { settles: true, run: { stop: STOP } },
    { do: 'settle', tasks: [0] },
  ],
  ['what was settled goes on', [CALL], { run: { stop: STOP } }, undefined],
  ['a join is marked before anything begins', [CALL, JOIN, JOIN], {}, { do: 'mark-join', tasks: [1] }],
  ['whatever sees a join marks it', [JOIN], NOTHING, { do: 'mark-join', tasks: [0] }],
  ['children start side by side', [CALL, CHILD, CHILD], {}, { do: 'start-children', tasks: [1, 2] }],
  ['calls are sent together', [CALL, WAIT, CALL], {}, { do: 'send', tasks: [0, 2] }],
  ['what has a time of its own waits for it', [APPROVAL, WAIT], {}, { do: 'start-later', tasks: [1] }],
  ['an await asks later', [AWAIT, APPROVAL], { passed }, { do: 'ask-later', tasks: [0] }],
  ['approvals are listed', [APPROVAL, APPROVAL], {}, { do: 'list-approvals', tasks: [0, 1] }],
  ['no process begins what is not fresh', [CALL, CHILD, FAN_OUT, WAIT, APPROVAL], NOTHING, undefined],
  ['what waits for others does not begin', [CALL, aTask({ dependsOn: ['t0'] })], NOTHING, undefined],
  ['nothing begins while the run is paused', [CALL, CHILD], { run: { heldAtMs: T0_MS } }, undefined],
  ['a run ends once all tasks are settled', [CALL], { run: { marks: { 0: 's1' } } }, { do: 'end' }],
])('%s', (_, tasks, given, expected) => {
  expect(nextOf(tasks, given)).toEqual(expected);
});

test('a stop comes first, and is written once', () => {
  const stop = { ...STOP, atMs: NOW_MS };
  const tasks = [aTask({ when })];
  expect(nextOf(tasks, { cancelRequested: CANCEL })).toEqual({ do: 'stop', stop });
  expect(nextOf(tasks, { cancelRequested: CANCEL, run: { stop } })).toBeUndefined();
});

test('a run whose job is deleted stops with its finally tasks', () => {
  expect(nextOf([CALL], { jobGone: true })).toMatchObject({
    do: 'stop',
    stop: { why: 'deleted', force: true },
  });
});
