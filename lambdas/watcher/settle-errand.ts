import { type Attempt, countedErrands, settleAttempt, settleWithoutCall } from '../core/attempts/settle';
import { retryAt } from '../core/attempts/write-unended';
import { Metric } from '../core/contracts/metrics';
import { jobRefOf } from '../core/contracts/tables';
import type { ErrandEnd } from '../core/delivery/errands/errand-kind';
import { attemptRecord } from '../core/domain/attempt-records';
import type { Errand, PastErrand } from '../core/domain/errand';
import type { AttemptRecord, DelegatedLease, Execution } from '../core/domain/execution';
import type { OnErrand } from '../core/domain/lease';
import { decideTakeover } from '../core/domain/takeover';
import { isErrandTarget } from '../core/domain/long-call';
import type { TargetResult } from '../core/domain/target-result';
import { asChild } from '../core/domain/workflow/child-row';
import { endExecution } from '../core/ending/end-execution';
import type { Lease } from '../core/store/execution-store';
import { stepsOf } from './ask';
import type { WatcherDeps } from './deps';

/** What a settled errand may go by. */
type OfErrand = Pick<DelegatedLease, 'endsAtMs'> & { errand: Errand };

export const leaseOf = ({ jobKey, execId, claimId = '', fence, attempt }: Execution): Lease => ({
  jobKey,
  execId,
  claimId,
  fence,
  attempt,
});

/** Writes down the end of an errand, as long as the lease is as it was read. */
export async function settleErrand(
  execution: Execution,
  { endsAtMs, errand }: OfErrand,
  end: ErrandEnd,
  deps: WatcherDeps,
): Promise<void> {
  const { endsAs, again } = errand;
  const attempt = await attemptOf(execution, deps);
  const past = pastOf(errand, end, await stepsOf(errand, execution, deps));
  if (end.how !== 'succeeded' && endsAs) {
    const records = [recordOf(execution, { outcome: 'cancelled', error: end.error, errand: past }, deps)];
    await settleWithoutCall(attempt, { ...endsAs, records }, deps);
    return;
  }
  const startsAnew = end.how === 'lost' || (end.how !== 'succeeded' && again && !execution.cancelRequested);
  if (startsAnew) return lose(attempt, { error: end.error ?? end.how, errand: past }, deps);
  const startedAtMs = execution.claimedAtMs ?? deps.clock.nowMs();
  const isFatal = end.isFatal === true || isFatalFor(attempt.job, end);
  const result = resultOf(end, { endsAtMs, execution, nowMs: deps.clock.nowMs(), isFatal });
  await settleAttempt(attempt, [{ target: 0, result: { ...result, errand: past }, startedAtMs }], deps);
}

const pastOf = (
  { type, name, resource, id }: Errand,
  { logs }: Pick<ErrandEnd, 'logs'> = {},
  steps: PastErrand['steps'] = [],
): PastErrand => ({
  ...{ type, name, resource },
  ...(id !== undefined && { id }),
  ...(logs !== undefined && { logs }),
  ...(steps.length > 0 && { steps }),
});

/** Whether the job wants no other attempt after such an end, if its target still is an errand. */
function isFatalFor(job: Attempt['job'], { errorName, exitCode }: ErrandEnd): boolean {
  const target = isErrandTarget(job?.target) ? job.target : undefined;
  const errors = target && 'fatalErrors' in target ? target.fatalErrors : undefined;
  const codes = target && 'fatalExitCodes' in target ? target.fatalExitCodes : undefined;
  return (
    (errorName !== undefined && errors?.includes(errorName) === true) ||
    (exitCode !== undefined && codes?.includes(exitCode) === true)
  );
}

interface Circumstances {
  endsAtMs: number;
  execution: Execution;
  nowMs: number;
  isFatal: boolean;
}

function resultOf(
  { how, error, body, output }: ErrandEnd,
  { endsAtMs, execution, nowMs, isFatal }: Circumstances,
): TargetResult {
  if (how === 'succeeded') return { outcome: 'succeeded', body, output };
  if (how === 'failed' || execution.cancelRequested)
    return { outcome: isFatal ? 'fatal' : 'retriable', error, body };
  if (nowMs >= endsAtMs) return { outcome: 'retriable', error: 'timed out (job timeout)', body };
  // Quarterjack has not asked for it, so a user has: another attempt would undo that.
  return { outcome: 'fatal', error: `stopped at its service: ${error}`, body };
}

/** The errand never ran, or its end says nothing of its work. Another attempt follows, as at a takeover. */
export async function loseErrand(execution: OnErrand, error: string, deps: WatcherDeps): Promise<void> {
  const attempt = await attemptOf(execution, deps);
  const { endsAs } = execution.delegatedTo.errand;
  if (endsAs) await settleWithoutCall(attempt, endsAs, deps);
  else await lose(attempt, { error }, deps);
}

/** The lease of an errand says nothing of its time: its service was asked. */
async function lose(
  attempt: Attempt,
  { error, errand }: { error: string; errand?: PastErrand },
  deps: WatcherDeps,
): Promise<void> {
  const { execution, job, handle } = attempt;
  const records = [recordOf(execution, { outcome: 'lost', error, errand }, deps)];
  const takeover = decideTakeover({ ...execution, delegatedTo: undefined }, job, {
    nowMs: deps.clock.nowMs(),
    fraction: () => deps.random.fraction(),
  });
  if (takeover.decision === 'end') {
    const { status, reason } = takeover;
    await settleWithoutCall(attempt, { status, reason, error, records }, deps);
    return;
  }
  if (!job) {
    await settleWithoutCall(attempt, { status: 'cancelled', reason: 'deleted', error, records }, deps);
    return;
  }
  const { startAtMs, failures, takeovers } = takeover;
  const counted = { failures, takeovers, ...countedErrands(attempt) };
  // A cancellation that comes in between is seen by the next probe.
  await retryAt(startAtMs, { execution, job, handle, counted, records }, deps);
}

/** Ends an execution whose errand is out of sight. It keeps the name for a user who retries it. */
export async function loseSight(execution: OnErrand, error: string, deps: WatcherDeps): Promise<void> {
  deps.meter.count(Metric.lostSight);
  await deps.errands.loseSight(execution.delegatedTo.errand, deps.clock.nowMs());
  const errand = pastOf(execution.delegatedTo.errand);
  const records = [recordOf(execution, { outcome: 'lost', error, errand }, deps)];
  const { handle, job } = await attemptOf(execution, deps);
  await endExecution(
    {
      execution,
      end: { status: 'failed', reason: 'lost-sight', records, error },
      precondition: { kind: 'lease', lease: handle.lease, write: handle.write },
      job,
      by: 'other',
      errand: 'lost',
    },
    deps,
  );
}

async function attemptOf(execution: Execution, deps: WatcherDeps): Promise<Attempt> {
  const read = await deps.jobs.get(jobRefOf(execution.jobKey));
  // Its errand is its only target, whatever the job has become.
  const { targets: _, ...job } = (read && asChild(read, execution)) ?? {};
  return {
    execution,
    job: read && (job as Attempt['job']),
    handle: {
      lease: leaseOf(execution),
      isReport: true,
      cancelRequested: () => execution.cancelRequested !== undefined,
      write: (write) => write(),
    },
    errand: 'ended',
  };
}

const recordOf = (
  execution: Execution,
  record: Pick<AttemptRecord, 'outcome' | 'error' | 'errand'>,
  deps: WatcherDeps,
): AttemptRecord => {
  const nowMs = deps.clock.nowMs();
  return attemptRecord(execution, record, execution.claimedAtMs ?? nowMs, nowMs);
};
