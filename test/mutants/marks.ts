import type { Mutant } from './mutant';

const MARK_TASKS = 'lambdas/core/store/dynamo/runs/dynamo-run-store.ts';
const WRITE_MARKS = 'lambdas/core/store/dynamo/runs/write-marks.ts';
const TOGETHER = 'test/integration/workflows/marks-together.test.ts';
const STORE_TEST = 'test/conformance/store-on-memory.test.ts';

/** The safeguards of the marks of tasks. */
export const markMutants: readonly Mutant[] = [
  {
    name: 'a mark does not ask for the round of its task',
    file: MARK_TASKS,
    find: "conditions: [isRunning, 'attribute_exists(#run)', ...rounds],",
    replace: "conditions: [isRunning, 'attribute_exists(#run)', ...rounds.slice(0, 0)],",
    killedBy: STORE_TEST,
    test: 'RunStore',
  },
  {
    name: 'two marks of one task go in one write',
    file: MARK_TASKS,
    find: 'clash: (one, other) => one.task.key === other.task.key,',
    replace: 'clash: () => false,',
    killedBy: STORE_TEST,
    test: 'of two marks of one task',
  },
  {
    name: 'a refused mark refuses those of the same write',
    file: MARK_TASKS,
    find: 'const again = left.length < open.length ? left : [];',
    replace: 'const again = left.slice(0, 0);',
    killedBy: STORE_TEST,
    test: 'each has its own truth',
  },
  {
    name: 'after marks of one write all of their callers go on',
    file: MARK_TASKS,
    find: 'made: task === made.at(-1) ? made.map(({ key }) => key) : [],',
    replace: 'made: made.map(({ key }) => key),',
    killedBy: TOGETHER,
    test: 'sent once',
  },
  {
    name: 'after marks of one write no caller goes on',
    file: 'lambdas/core/ending/runs/mark-task.ts',
    find: 'goesOn: !applied || made.length > 0 }',
    replace: 'goesOn: !applied || made.length === 1 }',
    killedBy: TOGETHER,
    test: 'sent once',
  },
  {
    name: 'a mark replaces another one',
    file: WRITE_MARKS,
    find: '...paths.map((path) => `attribute_not_exists(${path})`)',
    replace: '...paths.slice(0, 0)',
    killedBy: STORE_TEST,
    test: 'RunStore',
  },
  {
    name: 'a task is decided before it is released',
    file: 'lambdas/core/ending/runs/next-action.ts',
    find: '...approvals, ...awaits];',
    replace: '...approvals, ...awaits, ...toRelease(view, derivation)];',
    killedBy: 'test/integration/workflows/decisions.test.ts',
    test: 'die-between-decision-and-mark',
  },
  {
    name: 'a child whose row cannot be written loses the marks of the others',
    file: 'lambdas/core/ending/runs/go-on-with-children.ts',
    find: "deps.log.error('a child is left to the recheck of its run', error, { jobKey, execId });",
    replace: 'void [jobKey, execId];\n      throw error;',
    killedBy: 'test/integration/workflows/child-orders.test.ts',
    test: 'what other children lead to',
  },
  {
    name: 'a stop does not ask for the row of an inline task',
    file: 'lambdas/core/ending/runs/settle-stopped.ts',
    find: 'return row && isTerminal(row.status) ? row.status :',
    replace: 'return row && row.status === undefined ? row.status :',
    killedBy: 'test/integration/workflows/decisions.test.ts',
    test: 'only joins others',
  },
  {
    name: 'a task is marked though what comes before has failed in a sweep',
    file: 'lambdas/core/ending/follow-ups.ts',
    find: "  if (by === 'sweeper') throw error;",
    replace: "  if (by === 'sweeper' && !isTaskExecution(execId)) throw error;",
    killedBy: 'test/unit/core/ending/follow-ups.test.ts',
    test: 'gates fail in a sweep',
  },
  {
    name: 'a task ends while its run is about to start again',
    file: 'lambdas/api/runs/cancel-task.ts',
    find: '  checkRunning(run);\n',
    replace: "  if (run.status !== 'running') checkRunning(run);\n",
    killedBy: 'test/integration/workflows/user-interleavings.test.ts',
    test: 'until it has started',
  },
];
