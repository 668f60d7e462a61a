import type { TargetResult } from './target-result';
import type { AttemptRecord, Execution } from './execution';

/** What one target answered, or reported. */
export interface TargetOutcome {
  /** Its place among the job's targets. */
  target: number;
  result: TargetResult;
  startedAtMs: number;
}

/** What each target answered, as it is kept; one that has accepted has not answered yet. */
export const recordsOf = (
  execution: Pick<Execution, 'attempt' | 'fence'>,
  answers: readonly TargetOutcome[],
  finishedAtMs: number,
): AttemptRecord[] =>
  answers.flatMap(({ target, result: answer, startedAtMs }) =>
    answer.outcome === 'accepted'
      ? []
      : [attemptRecord(execution, { ...answer, outcome: answer.outcome, target }, startedAtMs, finishedAtMs)],
  );

/** What one attempt came to, as it is kept. */
export const attemptRecord = (
  execution: Pick<Execution, 'attempt' | 'fence'>,
  answer: Pick<AttemptRecord, 'outcome' | 'statusCode' | 'error'> & { target?: number },
  startedAtMs: number,
  finishedAtMs: number,
): AttemptRecord => ({
  attempt: execution.attempt,
  fence: execution.fence,
  startedAtMs,
  finishedAtMs,
  outcome: answer.outcome,
  target: answer.target ?? 0,
  statusCode: answer.statusCode,
  error: answer.error,
});
