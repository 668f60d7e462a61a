import type { StageDeps } from '../deps';
import { attemptRecord, recordsOf, type TargetOutcome, withHosts } from '../domain/attempt-records';
import { ageSinceMs, type AttemptRecord, errandsOf, type Execution, type Run } from '../domain/execution';
import type { Job } from '../domain/job';
import { decideOutcome } from '../domain/outcome';
import { decideRetry } from '../domain/retry-policy';
import type { TargetResult } from '../domain/target-result';
import type { TerminalStatus } from '../domain/transitions';
import { MAX_OUTPUT_BYTES } from '../domain/workflow/definition';
import { endExecution } from '../ending/end-execution';
import type { End, EndRequest } from '../ending/end-request';
import { holdsLease } from '../store/execution-store';
import { appendReports, delegateToTargets, retryAt, type WrittenDown } from './write-unended';
import type { LeaseHandle } from '../store/lease-handle';

/** Reports of several targets that come at once: each try sees one more of them. */
const TRIES = 20;

/** The execution once the attempt is written down; `running`: its target holds the lease now. */
export type SettledStatus = TerminalStatus | 'retrying' | 'running' | 'lease-lost';

/** An attempt whose targets have answered, or reported. */
export interface Attempt {
  execution: Execution;
  /** As read after the claim; undefined: deleted while the target worked. */
  job: Job | undefined;
  handle: LeaseHandle;
  /** Only for a task: its run, as read after the claim. */
  run?: Run | undefined;
  /** See `EndRequest`. */
  errand?: EndRequest['errand'];
}

/**
 * Writes down the outcome of an attempt, as long as the lease holds. Several targets may report at any time:
 * where one more has reported meanwhile, the outcome is decided again on all of them.
 */
export async function settleAttempt(
  attempt: Attempt,
  made: readonly TargetOutcome[],
  deps: StageDeps,
): Promise<SettledStatus> {
  const { execution, job, handle } = attempt;
  const outcomes = job?.keepsOutput ? made.map(withBoundedOutput) : made;
  const isShared = job?.targets !== undefined || execution.delegatedTo?.targets !== undefined;
  if (!isShared) return settleSeen(attempt, outcomes, deps);
  let seen = execution;
  for (let tries = 1; ; tries++) {
    const lease = { ...handle.lease, recordsSeen: seen.attempts.length };
    const open = outcomes.filter(
      ({ target }) => !seen.attempts.some((one) => one.fence === lease.fence && one.target === target),
    );
    const status = await settleSeen(
      { ...attempt, execution: seen, handle: { ...handle, lease } },
      open,
      deps,
    );
    if (status !== 'lease-lost' || tries === TRIES) return status;
    const row = await deps.executions.get(execution);
    if (!row || !holdsLease(row, lease) || row.attempts.length === seen.attempts.length) return status;
    seen = row;
  }
}

/** The work of the target is done, but the tasks after it cannot get what it returned. */
function withBoundedOutput(made: TargetOutcome): TargetOutcome {
  const { result } = made;
  if (result.outcome !== 'succeeded' || result.output !== 'too-large') return made;
  const error = `the output has more than ${MAX_OUTPUT_BYTES} bytes as JSON: return a reference to it instead`;
  return { ...made, result: { ...result, outcome: 'fatal', reason: 'output-too-large', error } };
}

/** Ends a claimed execution without a call. */
export const settleWithoutCall = (
  attempt: Attempt,
  end: Pick<End, 'status' | 'reason' | 'error' | 'records'>,
  deps: StageDeps,
): Promise<SettledStatus> => endAttempt(attempt, end, deps);

/** Decides on the records that this attempt has already, and those that are made of `outcomes` now. */
async function settleSeen(
  attempt: Attempt,
  outcomes: readonly TargetOutcome[],
  deps: StageDeps,
): Promise<SettledStatus> {
  const { execution, job, handle } = attempt;
  const nowMs = deps.clock.nowMs();
  const records = withHosts(recordsOf(execution, outcomes, nowMs), job);
  const accepted = outcomes.filter(({ result }) => result.outcome === 'accepted').map(({ target }) => target);
  const decisive = mostSevere(outcomes);
  const outcome = decideOutcome({
    execution,
    job,
    records,
    accepted,
    isReport: handle.isReport === true,
    cancelRequested: handle.cancelRequested(),
    reason: decisive?.reason,
  });
  switch (outcome.decision) {
    case 'cancel':
      return cancel(attempt, records, accepted, deps);
    case 'note':
      return appendReports(records, handle, deps);
    case 'delegate':
      return delegateToTargets({ ...attempt, job: job! }, outcome.waiting, records, deps);
    case 'end':
      return endAttempt(
        attempt,
        { ...outcome, ...madeBy(decisive), ...outputBy(decisive, job), records },
        deps,
      );
    case 'retry':
      return retry({ ...attempt, job: job! }, outcomes, records, deps);
  }
}

/** By the retry policy: another attempt later, or the end. */
async function retry(
  attempt: Attempt & { job: Job },
  outcomes: readonly TargetOutcome[],
  records: readonly AttemptRecord[],
  deps: StageDeps,
): Promise<SettledStatus> {
  const { execution, job } = attempt;
  const failures = execution.failures + 1;
  const decision = decideRetry(job.retry, {
    failures,
    dueAtMs: ageSinceMs(execution),
    nowMs: deps.clock.nowMs(),
    fraction: deps.random.fraction(),
    retryAfterMs: Math.max(0, ...outcomes.map(({ result }) => result.retryAfterMs ?? 0)),
  });
  if (!decision.retry) {
    const decisive = mostSevere(outcomes);
    const end = { status: 'failed', reason: decisive?.reason ?? decision.reason } as const;
    return endAttempt(attempt, { ...end, ...madeBy(decisive), records }, deps);
  }
  const counted = { failures, takeovers: 0, ...countedErrands(attempt) };
  const written: WrittenDown = await retryAt(decision.startAtMs, { ...attempt, counted, records }, deps);
  return written === 'cancel-requested' ? cancel(attempt, records, [], deps) : written;
}

/** After an errand has been seen to end, the next one has another name. */
export const countedErrands = ({ execution, errand }: Pick<Attempt, 'execution' | 'errand'>) =>
  execution.openErrand !== undefined && errand === 'ended' ? { errands: errandsOf(execution) + 1 } : {};

/** Ends an execution whose cancellation was requested, for the reason given with the request. */
async function cancel(
  attempt: Attempt,
  records: readonly AttemptRecord[],
  accepted: readonly number[],
  deps: StageDeps,
): Promise<SettledStatus> {
  const { execution } = attempt;
  const row = await deps.executions.get(execution);
  const reason = row?.cancelRequested?.reason ?? 'cancelled-by-user';
  const nowMs = deps.clock.nowMs();
  const cut = accepted.map((target) =>
    attemptRecord(execution, { outcome: 'cancelled', target }, execution.claimedAtMs ?? nowMs, nowMs),
  );
  const cancelled = records.map((record) =>
    record.outcome === 'succeeded' ? record : { ...record, outcome: 'cancelled' as const },
  );
  return endAttempt(attempt, { status: 'cancelled', reason, records: [...cancelled, ...cut] }, deps);
}

async function endAttempt(
  { execution, job, handle, run, errand }: Attempt,
  end: End,
  deps: StageDeps,
): Promise<SettledStatus> {
  const precondition = { kind: 'lease', lease: handle.lease, write: handle.write } as const;
  const by = handle.isReport ? 'other' : 'executor';
  return (await endExecution({ execution, end, precondition, job, by, run, errand }, deps))
    ? end.status
    : 'lease-lost';
}

const madeBy = (result: TargetResult | undefined): Pick<End, 'result' | 'error'> => ({
  result: result && { statusCode: result.statusCode, body: result.body },
  error: result?.error,
});

const outputBy = (result: TargetResult | undefined, job: Job | undefined): Pick<End, 'output'> =>
  job?.keepsOutput && result?.outcome === 'succeeded' && typeof result.output === 'object'
    ? { output: result.output.json }
    : {};

const SEVERITY: readonly TargetResult['outcome'][] = ['accepted', 'succeeded', 'retriable', 'fatal'];

/** The result that decides, whose body is kept. */
const mostSevere = (outcomes: readonly TargetOutcome[]): TargetResult | undefined =>
  outcomes
    .map(({ result }) => result)
    .reduce<TargetResult | undefined>(
      (worst, result) =>
        worst && SEVERITY.indexOf(worst.outcome) >= SEVERITY.indexOf(result.outcome) ? worst : result,
      undefined,
    );
