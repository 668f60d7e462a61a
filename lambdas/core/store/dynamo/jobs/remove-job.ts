import { DeleteCommand } from '../commands';

import type { JobRef } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { TableAccess } from '../access';
import type { WriteOptions } from '../../write-options';
import { conditionalDelete } from '../conditional-write';
import { anyOf } from '../expressions';
import { jobRowKey, jobOf } from './job-row';
import { readJob } from './read-jobs';

const isGone = 'attribute_not_exists(#jobId)';
const isAsSeen = '#etag = :seenEtag';

/**
 * Key: the job's. Condition: the row is gone already, so a repeated delete is no conflict, or has the etag
 * seen. No condition without an etag. Cost: 1 write unit a KB of the row. Lost race: `changed` with the row
 * as it is.
 */
export async function removeJob(
  access: TableAccess,
  ref: JobRef,
  seenEtag?: string,
  options?: WriteOptions,
): Promise<{ outcome: 'deleted' } | { outcome: 'changed'; current: Job }> {
  if (seenEtag === undefined) {
    const command = new DeleteCommand({ TableName: access.table, Key: jobRowKey(ref) });
    await access.documents.send(command, options);
    return { outcome: 'deleted' };
  }
  const input = {
    Key: jobRowKey(ref),
    ConditionExpression: anyOf(isGone, isAsSeen),
    ExpressionAttributeValues: { ':seenEtag': seenEtag },
  };
  const answer = await conditionalDelete(access, input, options);
  if (answer.applied) return { outcome: 'deleted' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, ref);
  return current ? { outcome: 'changed', current } : { outcome: 'deleted' };
}
