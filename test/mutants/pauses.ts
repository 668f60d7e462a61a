import type { Mutant } from './mutant';

const USERS = 'test/integration/workflows/user-interleavings.test.ts';
const UNTIL = 'test/integration/pipeline/pause-until.test.ts';
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
  {
    name: 'a job is resumed by an entry of another time',
    file: 'lambdas/core/domain/resumption.ts',
    find: 'asked?.atMs === atMs && asked.pausedAtMs === pausedAtMs',
    replace: 'asked !== undefined && asked.pausedAtMs <= pausedAtMs + atMs',
    killedBy: UNTIL,
    test: 'another time or another pause',
  },
  {
    name: 'a job that is paused without an end is resumed',
    file: 'lambdas/core/domain/resumption.ts',
    find: '{ atMs: resumeAtMs, pausedAtMs }\n    : undefined',
    replace: '{ atMs: resumeAtMs, pausedAtMs }\n    : { atMs: 0, pausedAtMs: pausedAtMs ?? 0 }',
    killedBy: UNTIL,
    test: 'a pause without a time costs nothing',
  },
  {
    name: 'what is due at the end of a pause does not fire',
    file: 'lambdas/core/domain/resumption.ts',
    find: 'Math.max(atMs - 1, pausedAtMs)',
    replace: 'Math.max(atMs, pausedAtMs)',
    killedBy: UNTIL,
    test: '30 minutes on',
  },
  {
    name: 'a message that was sent before a short pause is refused at its end',
    file: 'lambdas/core/domain/job.ts',
    find: "status === 'paused' && dueAtMs < resumeAtMs;",
    replace: "status === 'paused' && dueAtMs <= resumeAtMs;",
    killedBy: UNTIL,
    test: '2 minutes on',
  },
  {
    name: 'the auditor leaves a job paused whose entry is lost',
    file: 'lambdas/core/job-writes/resume-paused.ts',
    find: '<= RESUMED_WITHIN_MS) return',
    replace: '<= 1_000 * RESUMED_WITHIN_MS) return',
    killedBy: UNTIL,
    test: 'by the auditor',
  },
  {
    name: 'the end of a pause is no reason to recheck what it holds',
    file: 'lambdas/core/domain/eligibility.ts',
    find: '? Math.min(nextStepMs(heldAtMs, nowMs), resumeAtMs)',
    replace: '? nextStepMs(heldAtMs, nowMs)',
    killedBy: 'test/integration/pipeline/pause-until-of-many.test.ts',
    test: 'lets what it holds run soon after it',
  },
];
