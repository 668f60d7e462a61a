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
  {
    name: 'a project that has written its bytes of the day writes on',
    file: 'lambdas/api/serve-request.ts',
    find: 'if (isBoundByWrites(request.route)) await admitWrites(request.project, deps);',
    replace: '',
    killedBy: 'test/unit/api/written-bytes.test.ts',
    test: 'ends a day of events',
  },
  {
    name: 'what a request writes counts towards no day',
    file: 'lambdas/core/store/written-bytes.ts',
    find: 'known.unsaved += bytes;',
    replace: 'known.unsaved += 0 * bytes;',
    killedBy: 'test/unit/api/written-bytes.test.ts',
    test: 'ends a day of events',
  },
  {
    name: 'a process takes its own bytes of the day for those of all',
    file: 'lambdas/core/store/written-bytes.ts',
    find: 'known.stored = Math.max(known.stored ?? 0, stored);',
    replace: 'known.stored = Math.min(known.stored ?? 0, stored);',
    killedBy: 'test/unit/core/store/written-bytes.test.ts',
  },
  {
    name: 'a change of expectEvery is free of the quota of changes',
    file: 'lambdas/api/jobs/save-job.ts',
    find: 'fires || ofJob.length > 0 ? 1 : 0',
    replace: 'fires || ofJob.length < 0 ? 1 : 0',
    killedBy: 'test/unit/api/jobs/charge-rates.test.ts',
    test: 'to do in time',
  },
];
