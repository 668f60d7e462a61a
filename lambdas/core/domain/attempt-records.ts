import type { AttemptRecord, Execution } from './execution';
import type { TargetResult } from './target-result';

/** The result of one target in an attempt: returned by the call, or reported later. */
export interface TargetOutcome {
  /** Index into the job's targets. */
  target: number;
  result: TargetResult;
  startedAtMs: number;
}

type AttemptRef = Pick<Execution, 'attempt' | 'fence'>;

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

export const attemptRecord = (
  { attempt, fence }: AttemptRef,
  {
    outcome,
    target = 0,
    statusCode,
    error,
  }: Pick<AttemptRecord, 'outcome' | 'statusCode' | 'error'> & {
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
});
