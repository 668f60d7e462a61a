import type { Mutant } from './mutant';

const KEPT = 'test/integration/workflows/kept-tasks.test.ts';
const NEXT_TASK = 'lambdas/executor/next-task.ts';
const NEXT_TASK_TEST = 'test/unit/executor/next-task.test.ts';

/** What holds when a task is executed by the invocation that has made it ready. */
export const keptTaskMutants: readonly Mutant[] = [
  {
    name: 'a task that is kept is not executed',
    file: 'lambdas/executor/execute-batch.ts',
    find: 'next = await executeTogether(next, prepared, invocation, deps);',
    replace: 'next = (await executeTogether(next, prepared, invocation, deps)).slice(1);',
    killedBy: KEPT,
    test: 'goes on in one invocation',
  },
  {
    name: 'a task is kept while another message of its batch is at work',
    file: NEXT_TASK,
    find: 'const isLast = this.open.size === 1 && this.open.has(id);',
    replace: 'const isLast = this.open.has(id);',
    killedBy: KEPT,
    test: 'beside a message of its batch',
  },
  {
    name: 'a task of another lane is kept',
    file: NEXT_TASK,
    find: 'if (this.message || !this.isOwn(message, lane)) return false;',
    replace: 'if (this.message) return false;',
    killedBy: NEXT_TASK_TEST,
    test: 'another priority',
  },
  {
    name: 'a task is kept whose call may outlast the invocation',
    file: NEXT_TASK,
    find: ' && callLimitMs <= leftMs;',
    replace: ' && leftMs > 0;',
    killedBy: NEXT_TASK_TEST,
    test: 'longer than the invocation has left',
  },
];
