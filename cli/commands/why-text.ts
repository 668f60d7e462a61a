import type { TaskState } from '../../client';
import { instantText } from '../terminal/times';

/** Why a task is as it is: its reason, and when its next attempt starts. */
export const whyText = ({
  reason,
  nextAttemptAt,
}: Pick<TaskState, 'reason' | 'nextAttemptAt'>): string | undefined =>
  [reason, nextAttemptAt && `until ${instantText(nextAttemptAt)}Z`].filter(Boolean).join(' ') || undefined;
