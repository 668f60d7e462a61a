import type { AttemptRecord, Execution } from './execution';
import { type JobDefinition, targetsOf } from './job';
import { httpHostOf } from './target';
import type { TargetResult } from './target-result';

/** The result of one target in an attempt: returned by the call, or reported later. */
export interface TargetOutcome {
  /** Index into the job's targets. */
  target: number;
  result: TargetResult;
  startedAtMs: number;
}

/** Indexes of the targets that have not succeeded yet, in the list as it is now. */
export function openTargets(
  { attempts }: Pick<Execution, 'attempts'>,
  job: Pick<JobDefinition, 'target' | 'targets'>,
): number[] {
  const done = attempts.filter(({ outcome }) => outcome === 'succeeded').map(({ target }) => target);
  return [...targetsOf(job).keys()].filter((index) => !done.includes(index));
}

type AttemptRef = Pick<Execution, 'attempt' | 'fence' | 'worker'>;

/** The records of an attempt, one per target with a result. A target that has only accepted has none yet. */
export const recordsOf = (
  execution: AttemptRef,
  outcomes: readonly TargetOutcome[],
  finishedAtMs: number,
): AttemptRecord[] =>
  outcomes.flatMap(({ target, result, startedAtMs }) =>
    result.outcome === 'accepted'
      ? []
      : [attemptRecord(execution, { ...result, outcome: result.outcome, target }, startedAtMs, finishedAtMs)],
  );

/** The records, those of failures with the host of their HTTP target. A deleted job names no host. */
export const withHosts = (
  records: readonly AttemptRecord[],
  job: Pick<JobDefinition, 'target' | 'targets'> | undefined,
): AttemptRecord[] =>
  records.map((record) => {
    const target = job && record.outcome !== 'succeeded' ? targetsOf(job)[record.target] : undefined;
    const host = target && httpHostOf(target);
    return host === undefined ? record : { ...record, host };
  });

export const attemptRecord = (
  { attempt, fence, worker }: AttemptRef,
  {
    outcome,
    target = 0,
    statusCode,
    error,
    errand,
  }: Pick<AttemptRecord, 'outcome' | 'statusCode' | 'error' | 'errand'> & {
    target?: number;
  },
  startedAtMs: number,
  finishedAtMs: number,
): AttemptRecord => ({
  attempt,
  fence,
  startedAtMs,
  finishedAtMs,
  outcome,
  target,
  statusCode,
  error,
  ...(worker !== undefined && { worker }),
  ...(errand && { errand }),
});
