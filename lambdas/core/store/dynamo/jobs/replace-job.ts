import type { Job } from '../../../domain/job';
import type { TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { jobOf, jobRowOf } from './job-row';
import { readJob } from './read-jobs';

const isAsSeen = '#etag = :seenEtag';

/**
 * Key: the job's. Condition: it bears the etag seen. Cost: 1 write unit a KB of the larger of old and new.
 * Lost race: `changed` with the row as it is, without one where it is gone. A row that bears the new etag is one's own.
 */
export async function replaceJob(
  access: TableAccess,
  job: Job,
  seenEtag: string,
): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }> {
  const answer = await conditionalPut(access, {
    Item: jobRowOf(job),
    ConditionExpression: isAsSeen,
    ExpressionAttributeValues: { ':seenEtag': seenEtag },
  });
  if (answer.held) return { outcome: 'replaced' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
  if (current?.etag === job.etag) return { outcome: 'replaced' };
  return { outcome: 'changed', current };
}
