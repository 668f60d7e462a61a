import type { Execution } from '../../client/browser';
import { duration } from '../time/format';

type Attempt = Execution['attempts'][number];

/** Whether a user's retry comes before an attempt: attempts count from 1 again, fences go on. */
export const isRetriedBefore = (attempts: readonly Attempt[], index: number): boolean =>
  attempts[index]?.attempt === 1 && index > 0 && attempts[index]!.fence > attempts[index - 1]!.fence;

type Begun = Pick<Execution, 'startedAt' | 'retriedAt'>;

/** When an execution began, or began again after a user's retry; null if it never did. */
export const begunAt = ({ startedAt, retriedAt }: Begun): string | null => retriedAt ?? startedAt;

/** How long an execution took, since its last retry by a user; undefined while it has not ended. */
export function tookMs(execution: Begun & Pick<Execution, 'finishedAt'>): number | undefined {
  const from = begunAt(execution);
  const { finishedAt } = execution;
  if (from === null || finishedAt === null) return undefined;
  return Math.max(0, Date.parse(finishedAt) - Date.parse(from));
}

/** How a success was out of its bounds. */
export const paceText = ({ pace }: Pick<Execution, 'pace'>): string | undefined =>
  pace && `${pace === 'slow' ? 'longer' : 'less'} than expected`;

export const tookText = (execution: Execution): string => {
  const ms = tookMs(execution);
  return ms === undefined ? '' : duration(ms);
};
