import { isHiddenJob, jobRefOf, parseCompactInstant } from '../contracts/tables';
import type { Execution } from './execution';
import { expiresAtSecAfter } from './timing';
import { isTerminal, type TerminalStatus } from './transitions';
import { isTaskExecution } from './workflow/task-id';

/** An execution that has ended, as its row says. */
export type EndSeen = Execution & { status: TerminalStatus };

/**
 * The end that a change of a row is, if it is one. An execution may end again: a user has retried it, or its
 * skipped range covers more. What changes beside that, such as a late result, is no end.
 *
 * @param before undefined: there was no row
 * @param after undefined: the row was removed
 */
export function endIn(before: Execution | undefined, after: Execution | undefined): EndSeen | undefined {
  if (!after || !isEnded(after)) return undefined;
  return before && isEnded(before) && isSameEnd(before, after) ? undefined : after;
}

const isEnded = (execution: Execution): execution is EndSeen => isTerminal(execution.status);

const isSameEnd = (before: Execution, after: Execution): boolean =>
  before.fence === after.fence &&
  before.userRetries === after.userRetries &&
  before.skipped?.count === after.skipped?.count;

/** What the journal keeps of an end. */
export interface JournalEnd extends Pick<
  EndSeen,
  | 'execId'
  | 'trigger'
  | 'status'
  | 'reason'
  | 'dueAtMs'
  | 'startedAtMs'
  | 'latenessMs'
  | 'fence'
  | 'userRetries'
  | 'skipped'
> {
  jobId: string;
  finishedAtMs: number;
  /** How many have ended. */
  attempts: number;
}

/** Those of tasks and items show in their runs, and those of hidden jobs nowhere. */
export const isInJournal = ({ jobKey, execId }: Pick<Execution, 'jobKey' | 'execId'>): boolean =>
  !isHiddenJob(jobKey) && !isTaskExecution(execId);

/** The time that an execId names: that of a planned occurrence is its due time. */
export const namedAtMs = ({ execId }: Pick<Execution, 'execId'>): number => parseCompactInstant(execId);

/** When it ended. What was skipped before it was due ended then. */
export const endedAtMs = (ended: EndSeen): number => ended.finishedAtMs ?? namedAtMs(ended);

/** Until when what is known of an end is kept: as long as its row. */
export const keptUntilSec = (ended: EndSeen, retentionDays: number): number =>
  ended.expiresAtSec ?? expiresAtSecAfter(endedAtMs(ended), retentionDays);

export function journalEndOf(ended: EndSeen): JournalEnd {
  const { execId, trigger, status, reason, dueAtMs, startedAtMs, latenessMs, attempts } = ended;
  const { fence, userRetries, skipped } = ended;
  return {
    jobId: jobRefOf(ended.jobKey).jobId,
    ...{ execId, trigger, status, dueAtMs, fence, attempts: attempts.length },
    finishedAtMs: endedAtMs(ended),
    ...(reason && { reason }),
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(latenessMs !== undefined && { latenessMs }),
    ...(userRetries !== undefined && { userRetries }),
    ...(skipped && { skipped }),
  };
}

/** Names an execution within its project. */
export const journalIdOf = ({ jobId, execId }: Pick<JournalEnd, 'jobId' | 'execId'>): string =>
  `${execId}#${jobId}`;

/** Counts up with each end of an execution: by its retries, its claims, and what its range covers. */
const versionOf = ({ userRetries = 0, fence, skipped }: JournalEnd): readonly number[] => [
  userRetries,
  fence,
  skipped?.count ?? 0,
];

/** Whether an end came after another one of the same execution. One that is in the journal twice did not. */
export function isLaterEnd(one: JournalEnd, other: JournalEnd): boolean {
  const versions = versionOf(other);
  const differing = versionOf(one).map((value, index) => value - versions[index]!);
  return (differing.find((difference) => difference !== 0) ?? 0) > 0;
}
