import type { StageDeps } from '../../deps';
import type { Execution } from '../../domain/execution';
import { releaseGates } from '../../gates/release';
import { readOneJob } from '../../store/read-whole';
import type { End } from '../end-request';
import { endWithoutFollowUps } from '../end-without-follow-ups';

/**
 * Ends a child that has not begun, or waits for its next attempt. What is not released here is released by
 * the recheck of its end.
 *
 * @returns false: it has been claimed, or has ended, meanwhile
 */
export async function endWaitingChild(child: Execution, end: End, deps: StageDeps): Promise<boolean> {
  const { jobKey, execId } = child;
  const job = await readOneJob(jobKey, deps);
  const precondition = { kind: 'waiting' } as const;
  const ended = await endWithoutFollowUps({ execution: child, end, precondition, job, by: 'other' }, deps);
  if (!ended) return false;
  for (const error of (await releaseGates([{ ...ended, ...(job && { job }) }], deps)).values())
    deps.log.error('the gates of a child are left to its recheck', error, { jobKey, execId });
  return true;
}
