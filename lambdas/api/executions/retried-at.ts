import type { Execution } from '../../core/domain/execution';

/**
 * When an execution began again after the last retry by a user. Undefined: no user has retried it, or it has
 * not begun again. Attempts then begin at 1, and fences go on. A run has no attempts of its own.
 */
export function retriedAtMs({ userRetries, attempts, run }: Retried): number | undefined {
  if (userRetries === undefined) return undefined;
  if (run) return run.reopenedAtMs;
  const fence = attempts.findLast(({ attempt }) => attempt === 1)?.fence;
  const first = attempts.findIndex((one) => one.fence === fence);
  return first > 0 || (fence ?? 0) > 1 ? attempts[first]?.startedAtMs : undefined;
}

type Retried = Pick<Execution, 'userRetries' | 'attempts' | 'run'>;
