import type { Mutant } from './mutant';

const ENTRY_QUOTAS = 'test/integration/api/entry-quotas.test.ts';

/** Faults of what bounds the entries that requests file. */
export const entryQuotaMutants: readonly Mutant[] = [
  {
    name: 'what continues a run is charged nothing',
    file: 'lambdas/api/executions/file-recheck.ts',
    find: '  await chargeChange(execution, deps);\n  await deps.schedule.putEntries([await recheck',
    replace: '  await deps.schedule.putEntries([await recheck',
    killedBy: ENTRY_QUOTAS,
    test: 'without room in the minute',
  },
  {
    name: 'requests at one time file an entry each',
    file: 'lambdas/core/queue/attempt-entries.ts',
    find: 'Math.ceil(entry.checkAtMs / SECOND_MS) * SECOND_MS',
    replace: 'entry.checkAtMs',
    killedBy: ENTRY_QUOTAS,
    test: 'requests at one time',
  },
  {
    name: 'a rejection needs room in the minute',
    file: 'lambdas/api/runs/approve-task.ts',
    find: "(status === 'failed' ? fileRecheckOfStop : fileRecheck)",
    replace: "(status === 'failed' ? fileRecheck : fileRecheck)",
    killedBy: ENTRY_QUOTAS,
    test: 'rejections',
  },
  {
    name: 'a repeated cancel of a fan-out files an entry',
    file: 'lambdas/api/runs/cancel-task.ts',
    find: 'head?.stopped === CANCELLED_BY_USER',
    replace: 'head?.stopped === undefined && false',
    killedBy: ENTRY_QUOTAS,
    test: 'cancels of a fan-out again',
  },
  {
    name: 'late repeats of a cancel are charged nothing',
    file: 'lambdas/api/executions/file-recheck.ts',
    find: '  await chargeChange(execution, deps);\n  await deps.schedule.putEntries([entry]);',
    replace: '  await deps.schedule.putEntries([entry]);',
    killedBy: ENTRY_QUOTAS,
    test: 'late cancels of a run',
  },
  {
    name: 'a repeated cancel files nothing, however late',
    file: 'lambdas/api/executions/file-recheck.ts',
    find: 'if (nowMs - askedAtMs < OBEYED_WITHIN_MS) return;',
    replace: 'if (nowMs > OBEYED_WITHIN_MS) return;',
    killedBy: 'test/integration/protocol/cancel-of-a-dead-execution.test.ts',
    test: 'asked already',
  },
];
