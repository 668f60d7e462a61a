import type { AttemptRecord, Execution } from '../../core/domain/execution';
import type { EndSeen } from '../../core/domain/journal-end';
import { isTerminal } from '../../core/domain/transitions';

/**
 * Whether what has ended had begun: nothing of what was skipped, or cancelled before its first attempt, has a
 * span. A fan-out's row is written once, with its end.
 *
 * @param before the row before its end; undefined: there was none
 */
export function hasBegun(before: Execution | undefined, { startedAtMs }: EndSeen): boolean {
  if (startedAtMs === undefined) return false;
  if (!before || isTerminal(before.status)) return true;
  return before.status === 'running' || before.attempt > 1;
}

/** The attempts since the last retry by a user. With each, they begin at 1 again. */
export function attemptsOfLife({
  attempts,
  userRetries,
}: Pick<Execution, 'attempts' | 'userRetries'>): readonly AttemptRecord[] {
  if (userRetries === undefined) return attempts;
  const fence = attempts.findLast(({ attempt }) => attempt === 1)?.fence;
  return attempts.slice(
    Math.max(
      0,
      attempts.findIndex((one) => one.fence === fence),
    ),
  );
}
