import type { Mutant } from './mutant';

const WRITE_UNENDED = 'lambdas/core/attempts/write-unended.ts';
const KEEP_LEASE = 'lambdas/core/attempts/keep-lease.ts';
const LATE_CLAIM = 'lambdas/core/attempts/late-claim.ts';
const EXECUTE_BATCH = 'lambdas/executor/execute-batch.ts';

const PUT_ENTRY = '    await deps.schedule.putEntries([entry]);\n';
const NEXT = '    const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, ...counted };\n';
const CLAIM = '  const claimed = await claimAll(toClaim, prepared.claims, failedIds, deps);\n';
const AFTER_CLAIM =
  '  const working = new Set(claimed.map(({ received }) => received.id));\n' +
  '  for (const { id } of group) if (!working.has(id)) batch.done(id);\n' +
  '  if (claimed.length === 0) return [];\n';
const readJobsOf = (those: string): string =>
  `  const reading = readJobs(\n    ${those},\n    group,\n    deps,\n  );\n`;
const READ_AFTER = readJobsOf('claimed.map(({ execution }) => execution.jobKey)');
const READ_BEFORE = `${readJobsOf('toClaim.map(({ message }) => message.jobKey)')}  await reading;\n`;

export const attemptMutants: readonly Mutant[] = [
  {
    name: 'a reported delay is not kept to',
    file: 'lambdas/api/attempts/attempts.ts',
    find: 'error: kept, retryAfterMs }',
    replace: 'error: kept, retryAfterMs: retryAfterMs && 0 }',
    killedBy: 'test/integration/pipeline/long-job-reports.test.ts',
    test: 'says when the next attempt may come',
  },
  {
    name: 'after the last attempt, the reason that its target has said is dropped',
    file: 'lambdas/core/attempts/settle.ts',
    find: 'reason: decisive?.reason ?? decision.reason }',
    replace: 'reason: decision.reason }',
    killedBy: 'test/integration/pipeline/reasons-of-targets.test.ts',
    test: 'fails after its retries, as unknown-job',
  },
  {
    name: 'a target may say any reason',
    file: 'lambdas/core/domain/target-result.ts',
    find: 'SAID_BY_TARGETS.find((one) => one === word)',
    replace: 'word as FailureReason | undefined',
    killedBy: 'test/integration/pipeline/reasons-of-targets.test.ts',
    test: 'a worker that reports',
  },
  {
    name: 'a failure with a reason is fatal',
    file: 'lambdas/core/domain/outcome.ts',
    find: "if (settled.some(({ outcome }) => outcome === 'fatal'))",
    replace: "if (state.reason || settled.some(({ outcome }) => outcome === 'fatal'))",
    killedBy: 'test/integration/pipeline/reasons-of-targets.test.ts',
    test: 'fails after its retries, as unknown-job',
  },
  {
    name: 'what a child reports is not handed on',
    file: 'lambdas/api/attempts/attempt-report.ts',
    find: 'const output = deliveredAs?.keepsOutput &&',
    replace: 'const output = run && deliveredAs?.keepsOutput &&',
    killedBy: 'test/integration/workflows/children.test.ts',
    test: 'reports for the child',
  },
  {
    name: 'entry of a retry written after its row',
    file: WRITE_UNENDED,
    find: `${PUT_ENTRY}${NEXT}    return deps.executions.awaitRetry(handle.lease, next, records);\n`,
    replace:
      `${NEXT}    const done = await deps.executions.awaitRetry(handle.lease, next, records);\n` +
      `${PUT_ENTRY}    return done;\n`,
    killedBy: 'test/integration/protocol/order-of-writes.test.ts',
    test: 'row of a reported retry',
  },
  {
    name: 'a release forgives the losses before it',
    file: 'lambdas/core/attempts/return-unbegun.ts',
    find: 'const counted = { failures, takeovers, ',
    replace: 'const counted = { failures, takeovers: 0 * takeovers, ',
    killedBy: 'test/integration/pipeline/workers.test.ts',
    test: 'does not forgive the losses',
  },
  {
    name: 'the message after an errand says that it may run',
    file: WRITE_UNENDED,
    find: 'const openErrand = counted.errands === undefined ? execution.openErrand : undefined;',
    replace: 'const { openErrand } = execution;',
    killedBy: 'test/integration/protocol/work-and-edits.test.ts',
    test: 'may have started an errand',
  },
  {
    name: 'what is given back unbegun keeps the errand that it has not',
    file: 'lambdas/core/attempts/return-unbegun.ts',
    find: "countedErrands({ execution, errand: 'ended' })",
    replace: 'countedErrands({ execution, errand: undefined })',
    killedBy: 'test/integration/protocol/work-and-edits.test.ts',
    test: 'may have started an errand',
  },
  {
    name: 'a delegated lease of no end',
    file: WRITE_UNENDED,
    find: 'endsAtMs: (execution.claimedAtMs ?? deps.clock.nowMs()) + timeoutMs,',
    replace: 'endsAtMs: Number.MAX_SAFE_INTEGER + 0 * timeoutMs,',
    killedBy: 'test/integration/pipeline/long-jobs.test.ts',
    test: "the job's timeout bounds an attempt",
  },
  {
    name: 'the limit of a delegated lease ignores the job timeout',
    file: 'lambdas/core/domain/lease.ts',
    find: 'return Math.min(heartbeatAtMs + delegatedTo.heartbeatWithinMs, delegatedTo.endsAtMs) + CLOCK_SKEW_MS;',
    replace: 'return heartbeatAtMs + delegatedTo.heartbeatWithinMs + CLOCK_SKEW_MS;',
    killedBy: 'test/integration/pipeline/long-jobs.test.ts',
    test: "the job's timeout ends a delegated lease",
  },
  {
    name: 'no heartbeat is sent',
    file: KEEP_LEASE,
    find: 'if (!isStopped()) await sendHeartbeat(lease, state, deps);',
    replace: 'if (isStopped()) await sendHeartbeat(lease, state, deps);',
    killedBy: 'test/unit/core/attempts/keep-lease.test.ts',
  },
  {
    name: 'the deadline counts from the answer of a heartbeat',
    file: KEEP_LEASE,
    find: "if (outcome === 'done') state.acknowledge(sentMs);",
    replace: "if (outcome === 'done') state.acknowledge(Math.max(sentMs, clock.monotonicMs()));",
    killedBy: 'test/unit/core/attempts/keep-lease.test.ts',
  },
  {
    name: 'a refused heartbeat is ignored',
    file: KEEP_LEASE,
    find: "else state.lose('refused');",
    replace: 'else state.acknowledge(sentMs);',
    killedBy: 'test/unit/core/attempts/keep-lease.test.ts',
  },
  {
    name: 'the executor aborts after 60 s',
    file: 'lambdas/core/domain/lease.ts',
    find: 'export const ABORT_AFTER_MS = 26 * SECOND_MS;',
    replace: 'export const ABORT_AFTER_MS = 60 * SECOND_MS;',
    killedBy: 'test/unit/core/domain/lease.test.ts',
  },
  {
    name: 'the lease is not asked of the clock before the call',
    file: 'lambdas/executor/call-within.ts',
    find: 'if (handle.lostBy() || signal.aborted) return notCalled();',
    replace: 'if (signal.aborted) return notCalled();',
    killedBy: 'test/unit/executor/call-within.test.ts',
  },
  {
    name: 'a user retry is refused as older than retention',
    file: 'lambdas/core/attempts/claim.ts',
    find: 'attempt === 1 && isPlanned(trigger) && userRetries === undefined;',
    replace: 'attempt === 1 && isPlanned(trigger) && (userRetries ?? 0) >= 0;',
    killedBy: 'test/integration/pipeline/lost-work.test.ts',
    test: 'a user retry that was accepted just before',
  },
  {
    name: 'a late claim does not ask the job first',
    file: LATE_CLAIM,
    find: 'attempt === 1 && isPlanned(trigger) && nowMs - dueAtMs >= EARLIEST_RECHECK_MS;',
    replace: 'attempt === 1 && isPlanned(trigger) && nowMs - dueAtMs >= EARLIEST_RECHECK_MS * 1e6;',
    killedBy: 'test/integration/pipeline/skipped-rows.test.ts',
  },
  {
    name: 'a late claim does not ask for a skipped range afterwards',
    file: LATE_CLAIM,
    find: 'return (await skippedRangeOver(execution, deps))?.reason;',
    replace: 'return void skippedRangeOver;',
    killedBy: 'test/integration/pipeline/skipped-rows.test.ts',
    test: 'the range is first',
  },
  {
    name: 'a takeover does not ask for a skipped range',
    file: LATE_CLAIM,
    find: 'if (!isPlanned(trigger) || hasCalled(execution)) return undefined;',
    replace: 'if (!isPlanned(trigger) || hasCalled(execution) || fence > 1) return undefined;',
    killedBy: 'test/integration/pipeline/skipped-rows.test.ts',
    test: 'the takeover calls nothing',
  },
  {
    name: 'a change after a lost claim proves that the claim called',
    file: LATE_CLAIM,
    find: 'if (!isPlanned(trigger) || hasCalled(execution)) return undefined;',
    replace:
      'if (!isPlanned(trigger) || hasCalled(execution) || (fence > 1 && eligibilityOf(execution, job).call))\n' +
      '    return undefined;',
    killedBy: 'test/integration/protocol/frozen-claims.test.ts',
    test: 'a claim inside a range',
  },
  {
    name: 'the job is read before the claim',
    file: EXECUTE_BATCH,
    find: CLAIM + AFTER_CLAIM + READ_AFTER,
    replace: READ_BEFORE + CLAIM + AFTER_CLAIM,
    killedBy: 'test/integration/pipeline/pauses.test.ts',
    test: 'between the claim and the read of the job',
  },
  {
    name: 'executors go on in maintenance mode',
    file: EXECUTE_BATCH,
    find: '  if (await isInMaintenance(deps)) return { failedIds: [] };\n',
    replace: '  void isInMaintenance;\n',
    killedBy: 'test/integration/pipeline/stop.test.ts',
    test: 'messages in flight are not executed',
  },
  {
    name: 'a claim without an answer is not sent again',
    file: EXECUTE_BATCH,
    find: "claim got no answer', error, { jobKey: message.jobKey, execId: message.execId });\n        if (!(await resent(message, deps))) failedIds.push(id);",
    replace:
      "claim got no answer', error, { jobKey: message.jobKey, execId: message.execId });\n        void id;",
    killedBy: 'test/integration/pipeline/repeats.test.ts',
    test: 'a store that fails one claim',
  },
  {
    name: 'each attempt renders a start of its own',
    file: 'lambdas/core/delivery/job-templates/run-values.ts',
    find: 'const { dueAtMs, startedAtMs } = execution;',
    replace: 'const { dueAtMs, claimedAtMs: startedAtMs } = execution;',
    killedBy: 'test/integration/pipeline/templates.test.ts',
    test: 'the same bytes',
  },
  {
    name: 'a value in a URL is not encoded',
    file: 'lambdas/core/delivery/job-templates/url-template.ts',
    find: 'encodeURIComponent(Buffer.from(value).toString())',
    replace: 'Buffer.from(value).toString()',
    killedBy: 'test/unit/core/delivery/job-templates/render-job.test.ts',
    test: 'percent-encoded',
  },
];
