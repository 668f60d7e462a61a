import type { Mutant } from './mutant';

const EXACT_AWAITS = 'test/integration/workflows/exact-awaits.test.ts';
const ALARMS = 'test/integration/workflows/alarms.test.ts';
const LIMITS = 'test/integration/workflows/child-limits.test.ts';

/** The safeguards of tasks that wait for a time or for another job, and of the limits of children. */
export const waitMutants: readonly Mutant[] = [
  {
    name: 'a run that an event has moved is asked for by its first time',
    file: 'lambdas/core/history/awaited-runs.ts',
    find: '  return [...before.rows, ...after.rows];',
    replace: '  return [...before.rows, ...after.rows].slice(0, 0);',
    killedBy: EXACT_AWAITS,
    test: 'to which its events have moved it',
  },
  {
    name: 'an alarm begins nothing',
    file: 'lambdas/core/attempts/handle-refusal.ts',
    find: '      if (isAlive(refusal.current)) return deps.workflows.beginDue(refusal.current, deps);\n',
    replace: '      void isAlive;\n',
    killedBy: ALARMS,
    test: 'that long after it is ready',
  },
  {
    name: 'a job or a fan-out does not wait for its time',
    file: 'lambdas/core/ending/runs/alarm.ts',
    find: '  if (atMs <= deps.clock.nowMs()) return false;',
    replace: '  if (atMs <= deps.clock.nowMs() + 1e12) return false;',
    killedBy: ALARMS,
    test: 'that long after it is ready',
  },
  {
    name: 'an alarm is known to its message alone',
    file: 'lambdas/core/ending/runs/alarm.ts',
    find: '  await schedule.putEntries([entry]);\n',
    replace: '',
    killedBy: ALARMS,
    test: 'waits without the work',
  },
  {
    name: 'a recheck does not begin a fan-out whose alarm was lost',
    file: 'lambdas/sweeper/recheck-fan-out.ts',
    find: "isAlarmed(graph.tasks[index]!.task)) return 'asks';",
    replace: "isAlarmed(graph.tasks[index]!.task)) return 'waiting';",
    killedBy: ALARMS,
    test: 'a fan-out with a time of its own the message of its alarm is lost',
  },
  {
    name: 'a child has no entry at its limit',
    file: 'lambdas/core/ending/runs/start-child.ts',
    find: '  await fileLimit(run, deps);\n',
    replace: '',
    killedBy: LIMITS,
    test: 'waits to begin',
  },
  {
    name: 'a child that takes too long counts as cancelled by a user',
    file: 'lambdas/core/domain/workflow/children.ts',
    find: "return isOverLimit ? 'failed' : status;",
    replace: 'return status;',
    killedBy: LIMITS,
    test: 'a child that takes longer',
  },
  {
    name: 'a child that its own user runs again keeps the limit of the task',
    file: 'lambdas/core/domain/user-retry.ts',
    find: 'const { untilMs: _limit, orderingKey: _key,',
    replace: 'const { orderingKey: _key,',
    killedBy: LIMITS,
    test: 'one by its own user',
  },
  {
    name: 'the end of a job asks no task that waits for it',
    file: 'lambdas/core/domain/follow-ups.ts',
    find: "['start-waiters', 'ask-awaits']",
    replace: "['start-waiters']",
    killedBy: EXACT_AWAITS,
  },
  {
    name: 'a task that begins to wait does not ask again after its row is written',
    file: 'lambdas/core/ending/runs/await-upstream.ts',
    find: '  return endOf(task, await askUpstream(task, values, deps), deps);',
    replace: '  return ended;',
    killedBy: EXACT_AWAITS,
    test: 'end-meets-await',
  },
  {
    name: 'a task that waits for another job has no row by which it is asked again',
    file: 'lambdas/core/ending/runs/await-upstream.ts',
    find: '    await deps.awaits.put(awaited,',
    replace: '    if (!window) await deps.awaits.put(awaited,',
    killedBy: EXACT_AWAITS,
    test: 'at once',
  },
  {
    name: 'the auditor unmarks a job although tasks wait for it',
    file: 'lambdas/auditor/prune-uses.ts',
    find: "const WAITING_KINDS: readonly UsedKind[] = ['job', 'await'];",
    replace: "const WAITING_KINDS: readonly UsedKind[] = ['job'];",
    killedBy: EXACT_AWAITS,
    test: 'the auditor marks',
  },
];
