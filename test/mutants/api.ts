import type { Mutant } from './mutant';

const PAUSED_RANGE = 'lambdas/core/job-writes/record-paused-range.ts';
const INSERT_JOB = 'lambdas/api/jobs/insert-job.ts';
const CHANGE_JOB = 'lambdas/api/jobs/change-job.ts';
const DELETE_JOB = 'lambdas/api/jobs/delete-job.ts';
const CHANGES_OF = 'lambdas/api/changes/find-change.ts';
const CHANGES_TEST = 'test/unit/api/changes/changes.test.ts';
const RETRY = 'lambdas/api/executions/retry-execution.ts';
const START_RUN = 'lambdas/api/executions/start-run.ts';
const WRITE_DEADLINE = 'lambdas/core/store/write-deadline.ts';
const ORDER_OF_WRITES = 'test/integration/protocol/order-of-writes.test.ts';
const ABANDONED = 'test/integration/protocol/abandoned-writes.test.ts';
const REPEATED_START = 'lambdas/core/queue/repeated-start.ts';
const REPLAYS_TEST = 'test/unit/api/executions/replays.test.ts';
const IDEMPOTENCY_TEST = 'test/unit/api/http/idempotency-key.test.ts';

const PUT_FIRST_ENTRY = '  const first = await putEntries(next, plan, moment, deps);\n';
const INSERT_ROW =
  '\n  const written = await withinDeadline(moment, (options) => deps.jobs.create(job, options), deps);\n';
const REPLACE_ROW =
  '\n  const replace = (options: WriteOptions) => deps.jobs.replace(job, current.etag, options);\n' +
  '  const written = await withinDeadline(moment, replace, deps);\n';
const PUT_RETRY_ENTRY =
  '  await deps.schedule.putEntries([await attemptEntry({ ...retried, startAtMs }, deps)], deadline.leftMs());\n';
const WRITE_RETRY =
  '  const outcome = await withinDeadline(\n' +
  '    deadline,\n' +
  '    (options) => deps.executions.userRetry(seen, retry, options),\n' +
  '    deps,\n' +
  '  );\n';
const PUT_RUN_ENTRY =
  '  await deps.schedule.putEntries([await attemptEntry(wait, deps)], deadline.leftMs());\n';
const WRITE_RUN =
  '  const outcome = await withinDeadline(deadline, (options) => deps.executions.putQueued(run, options), deps);\n';

const KEEP_STATE = '  await keepState(current, moment, deps);\n';
const KEEP_LAST_STATE =
  '    await keepState(job, moment, deps, { removed: { ...author, atMs: moment.nowMs } });\n';
const REMOVE_JOB =
  '    const { etag }: Job = job;\n' +
  '    const removal = await withinDeadline(moment, (options) => deps.jobs.remove(ref, etag, options), deps);\n';

const BULK_RETRY = 'test/integration/pipeline/bulk-retry.test.ts';

export const apiMutants: readonly Mutant[] = [
  {
    name: 'the cancel of a running execution files no entry',
    file: 'lambdas/api/executions/cancel-execution.ts',
    find: '  await fileRecheckOfStop(execution, deps);\n',
    replace: '  void fileRecheckOfStop;\n',
    killedBy: 'test/integration/protocol/cancel-of-a-dead-execution.test.ts',
  },
  {
    name: 'a bulk retries without acquiring the ordering key',
    file: RETRY,
    find: '  if (inOrder) await orderingKeyGate.admit(message, deps);\n  await sendOrLeave(message, deps);\n',
    replace: '  void inOrder;\n  await sendOrLeave(message, deps);\n',
    killedBy: BULK_RETRY,
    test: 'failures of one ordering key',
  },
  {
    name: 'a bulk retries what has failed after it began',
    file: RETRY,
    find: 'finishedAtMs <= endedByMs;',
    replace: 'finishedAtMs <= endedByMs + 1e12;',
    killedBy: 'test/unit/api/bulk/bulk-executions.test.ts',
    test: 'leaves out what failed after it began',
  },
  {
    name: 'a bulk deletes a job that was changed after it began',
    file: 'lambdas/api/bulk/act-on-item.ts',
    find: 'if (item.job.updatedAtMs > bulk.begunAtMs)',
    replace: 'if (item.job.updatedAtMs > bulk.begunAtMs + 1e12)',
    killedBy: 'test/unit/api/bulk/bulk-jobs.test.ts',
    test: 'spares a job',
  },
  {
    name: 'state before a change not kept',
    file: CHANGE_JOB,
    find: KEEP_STATE,
    replace: '',
    killedBy: CHANGES_TEST,
    test: 'never made without the state before',
  },
  {
    name: 'last state of a deleted job kept after the removal',
    file: DELETE_JOB,
    find: KEEP_LAST_STATE + REMOVE_JOB,
    replace: REMOVE_JOB + KEEP_LAST_STATE,
    killedBy: CHANGES_TEST,
    test: 'never made without the state before',
  },
  {
    name: 'deletion shown though it lost its race',
    file: CHANGES_OF,
    find: '(newer ? cameBackAs(newer, state) : isGone)',
    replace: 'true',
    killedBy: CHANGES_TEST,
    test: 'neither a lost race nor a change',
  },
  {
    name: 'entry of a new job written after the job',
    file: INSERT_JOB,
    find: PUT_FIRST_ENTRY + INSERT_ROW,
    replace: INSERT_ROW + PUT_FIRST_ENTRY,
    killedBy: ORDER_OF_WRITES,
    test: 'entry, then job',
  },
  {
    name: 'entry of a changed job written after the job',
    file: CHANGE_JOB,
    find: PUT_FIRST_ENTRY + REPLACE_ROW,
    replace: REPLACE_ROW + PUT_FIRST_ENTRY,
    killedBy: ORDER_OF_WRITES,
    test: 'entry, then change',
  },
  {
    name: 'entry of a user retry written after its row',
    file: RETRY,
    find: PUT_RETRY_ENTRY + WRITE_RETRY,
    replace: WRITE_RETRY + PUT_RETRY_ENTRY,
    killedBy: ORDER_OF_WRITES,
    test: 'row of a user retry',
  },
  {
    name: 'entry of a manual run written after its row',
    file: START_RUN,
    find: PUT_RUN_ENTRY + WRITE_RUN,
    replace: WRITE_RUN + PUT_RUN_ENTRY,
    killedBy: ORDER_OF_WRITES,
    test: 'row of a manual run',
  },
  {
    name: 'first occurrences are not dispatched by the API',
    file: INSERT_JOB,
    find: 'if (first) await dispatchFirst(first, job, deps);',
    replace: 'void first, dispatchFirst;',
    killedBy: 'test/integration/pipeline/life-of-a-job.test.ts',
    test: 'a one-time job is called once',
  },
  {
    name: 'what fell due during a pause is not recorded',
    file: PAUSED_RANGE,
    find: 'await recordSkippedRange(job, { fromMs, toMs: untilMs }, skip, deps);',
    replace: 'void recordSkippedRange, fromMs, untilMs, skip, deps;',
    killedBy: 'test/integration/pipeline/pauses.test.ts',
  },
  {
    name: 'a write that is given up is not aborted',
    file: WRITE_DEADLINE,
    find: '(abortSignal) => write({ abortSignal }),',
    replace: '() => write({}),',
    killedBy: ABANDONED,
    test: 'a pause that was abandoned',
  },
  {
    name: 'a new job is not aborted when its write is given up',
    file: 'lambdas/core/store/dynamo/jobs/dynamo-job-store.ts',
    find: 'ConditionExpression: isNew }, options);',
    replace: 'ConditionExpression: isNew }, options && {});',
    killedBy: ABANDONED,
    test: 'a create that was abandoned',
  },
  {
    name: 'a write is never given up',
    file: WRITE_DEADLINE,
    find: 'return withTimeout(leftMs,',
    replace: 'return withTimeout(leftMs * 2,',
    killedBy: 'test/unit/core/store/write-deadline.test.ts',
  },
  {
    name: 'a write begins although no time is left',
    file: WRITE_DEADLINE,
    find: "if (leftMs === 0) throw new WriteTimeoutError('no time was left for the write');",
    replace: '',
    killedBy: 'test/unit/core/store/write-deadline.test.ts',
  },
  {
    name: 'a repeated user retry is not started',
    file: RETRY,
    find: '      await ensureRetryStarted(execution, deps, inOrder);\n',
    replace: '      void ensureRetryStarted;\n',
    killedBy: 'test/integration/protocol/slow-writes.test.ts',
    test: 'once it is repeated',
  },
  {
    name: 'a repeated manual run is not started',
    file: START_RUN,
    find: "if (run.status !== 'queued' || run.fence > 0) return;",
    replace: 'if (run.status) return;',
    killedBy: 'test/integration/protocol/slow-writes.test.ts',
    test: 'a manual run',
  },
  {
    name: 'each replay sends a message',
    file: REPEATED_START,
    find: 'return (await deps.schedule.hasEntry(entry)) ? undefined : entry;',
    replace: 'return entry;',
    killedBy: REPLAYS_TEST,
    test: 'within ten minutes',
  },
  {
    name: 'a replay files an entry although the recheck of the first one is still to come',
    file: REPEATED_START,
    find: 'if (waitedMs <= EARLIEST_RECHECK_MS) return undefined;',
    replace: '',
    killedBy: REPLAYS_TEST,
    test: 'at once',
  },
  {
    name: 'a replay relies on a recheck that may have been before the row',
    file: REPEATED_START,
    find: 'waitedMs <= EARLIEST_RECHECK_MS',
    replace: 'waitedMs <= EARLIEST_RECHECK_MS + 10_000',
    killedBy: 'test/unit/core/queue/repeated-start.test.ts',
    test: 'whichever clock is ahead',
  },
  {
    name: 'an entry of a replay may be acknowledged behind the sweep',
    file: REPEATED_START,
    find: 'while (stepMs < waitedMs + WRITE_DEADLINE_MS)',
    replace: 'while (stepMs < waitedMs - WRITE_DEADLINE_MS)',
    killedBy: 'test/unit/core/queue/repeated-start.test.ts',
    test: 'minutes after the start',
  },
  {
    name: 'a replay of a manual run is free of all quotas',
    file: START_RUN,
    find: "  await deps.quotas.chargeRate(job.userId, 'changes');\n",
    replace: '',
    killedBy: REPLAYS_TEST,
    test: 'of a manual run beyond the quota',
  },
  {
    name: 'a second cancel of a running execution files an entry',
    file: 'lambdas/api/executions/cancel-execution.ts',
    find: '  if (cancelRequested) {\n',
    replace: '  if (cancelRequested && deps.retentionDays < 0) {\n',
    killedBy: REPLAYS_TEST,
    test: 'of a cancel',
  },
  {
    name: 'a second cancel of a run files an entry',
    file: 'lambdas/api/runs/cancel-run.ts',
    find: 'if (cancelRequested && (cancelRequested.force || !force)) {',
    replace: 'if (cancelRequested && deps.retentionDays < 0) {',
    killedBy: 'test/integration/workflows/repeated-cancels.test.ts',
    test: 'repeated cancels of a run',
  },
  {
    name: 'a cancel with force does not follow one without',
    file: 'lambdas/api/runs/cancel-run.ts',
    find: 'if (cancelRequested && (cancelRequested.force || !force)) {',
    replace: 'if (cancelRequested) {',
    killedBy: 'test/integration/workflows/repeated-cancels.test.ts',
    test: 'with force',
  },
  {
    name: 'new email addresses are asked without a count',
    file: 'lambdas/api/notifications/email-address.ts',
    find: '  await charge(project, deps);\n',
    replace: '',
    killedBy: 'test/unit/api/notifications/notifications.test.ts',
    test: 'asks 20 new addresses a day',
  },
  {
    name: 'reports of attempts count towards no quota',
    file: 'lambdas/api/attempts/attempt-report.ts',
    find: "  await deps.quotas.chargeRate(jobRefOf(attempt.lease.jobKey).userId, 'reports');\n",
    replace: '',
    killedBy: 'test/unit/api/attempts/report-quota.test.ts',
    test: 'above it until the next minute',
  },
  {
    name: 'a key of a create may come with another body',
    file: 'lambdas/api/jobs/create-job.ts',
    find: '  if (current.idempotency.bodyHash !== stamp.bodyHash) throw keyReused();\n',
    replace: '',
    killedBy: IDEMPOTENCY_TEST,
  },
  {
    name: 'the key of a manual run is not kept',
    file: 'lambdas/api/executions/new-run.ts',
    find: 'if (!stamp) return { execId, known: false };',
    replace: 'if (!stamp || execId) return { execId, known: false };',
    killedBy: IDEMPOTENCY_TEST,
  },
  {
    name: 'a request answers while writes of its other items go on',
    file: 'lambdas/core/async/in-parallel.ts',
    find: '.catch((error: unknown) => (failure ??= { error }))',
    replace: '',
    killedBy: 'test/unit/core/async/in-parallel.test.ts',
    test: 'after a failure',
  },
];
