import type { Mutant } from './mutant';

const USERS = 'test/integration/workflows/user-interleavings.test.ts';
const MEETS = 'claim-meets-pause-meets-resume';

/** The safeguards of tasks that were claimed while their run was paused. */
export const pauseMutants: readonly Mutant[] = [
  {
    name: 'what is put back after the resumption is left to the recheck',
    file: 'lambdas/core/ending/runs/requeue-paused-task.ts',
    find: "  await resendTask({ ...execution, ...next, status: 'retrying' }, now, deps);\n",
    replace: '  void resendTask;\n',
    killedBy: USERS,
    test: MEETS,
  },
  {
    name: 'a recheck does not send what was put back',
    file: 'lambdas/sweeper/recheck-run.ts',
    find: '    await resendTask(row, run, deps);\n',
    replace: '    void resendTask;\n',
    killedBy: USERS,
    test: MEETS,
  },
  {
    name: 'a repeat of a pause does not list the run that its first request has paused',
    file: 'lambdas/api/runs/pause-run.ts',
    find: '    await listHeld(held, deps);\n',
    replace: '    if (held !== run) await listHeld(held, deps);\n',
    killedBy: 'test/integration/workflows/listed-pauses.test.ts',
    test: 'once its request is repeated',
  },
  {
    name: 'a resumption takes the next pause of its run from the list',
    file: 'lambdas/api/runs/pause-run.ts',
    find: '    if (isAlive(current)) await listHeld(current, deps);',
    replace: '    void listHeld;',
    killedBy: 'test/integration/workflows/listed-pauses.test.ts',
    test: 'takes it from the list late',
  },
  {
    name: 'a child run whose cancel is requested is not rechecked soon',
    file: 'lambdas/core/ending/runs/settle-child.ts',
    find: '      await deps.schedule.putEntries([await recheckEntryNow(child, deps)]);\n',
    replace: '',
    killedBy: 'test/integration/workflows/child-orders.test.ts',
    test: 'die-after-the-cancel',
  },
  {
    name: 'a child is called although its run has stopped after its claim',
    file: 'lambdas/core/ending/runs/task-to-deliver.ts',
    find: '(!run.run.stop && !run.cancelRequested)',
    replace: '!run.cancelRequested',
    killedBy: 'test/integration/workflows/child-orders.test.ts',
    test: 'run-stops-between',
  },
];
