import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { OverlapLock } from '../../../lambdas/core/store/overlap-lock-store';
import type { Story } from '../story';
import { rowOf } from '../story-index';
import { open, type Violation } from '../violation';
import { PATIENCE } from './occurrences';

/**
 * At the end, no job is kept by an execution that has no record. Under `skip` nothing else shows it: each
 * execution of the job is skipped for a good reason.
 */
export function checkHolders({ records, end, endMs, conditions }: Story): Violation[] {
  const { endsWithinMs } = conditions.patience ?? PATIENCE;
  const locks = new Map<string, OverlapLock>();
  for (const record of records)
    if (record.src === 'table' && record.type === 'overlap-lock') locks.set(record.jobKey, record.lock);
  return end.jobs.flatMap((job) => {
    const jobKey = jobKeyOf(job);
    const { holder, sinceMs = 0 } = locks.get(jobKey) ?? {};
    const isRecent = sinceMs > endMs - endsWithinMs;
    if (holder === undefined || isRecent || job.overlap === 'allow' || job.status === 'paused') return [];
    if (rowOf({ end }, `${jobKey}#${holder}`)) return [];
    return [open('unfinished', `${jobKey} ${holder} holds the overlap lock, and has no record`)];
  });
}
