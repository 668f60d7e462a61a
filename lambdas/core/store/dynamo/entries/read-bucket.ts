import { GetCommand, QueryCommand } from '../commands';

import { bucketKeyOf, SCHEDULE_KEY } from '../../../contracts/tables';
import { type Entry, entryBucketKey, entrySortKey } from '../../../domain/entry';
import type { BucketQuery, EntryPage } from '../../schedule-store';
import type { TableAccess } from '../access';
import { allOf, namesIn } from '../expressions';
import { entryOf } from '../entries';

const ofBucket = '#bucket = :bucket';
const isBefore = '#entry < :before';

/**
 * Key: the bucket's partition, sort keys in order. A consistent read returns every acknowledged entry.
 * Cost: 1 read unit each 4 KB (about 20 entries), and 1 for an empty bucket; half of that if not consistent.
 */
export async function readBucket(access: TableAccess, query: BucketQuery): Promise<EntryPage> {
  const { minute, shard, before, consistent = true } = query;
  const after = query.after || undefined;
  // DynamoDB rejects a start key outside of the range.
  if (before !== undefined && (before === '' || (after !== undefined && after >= before))) {
    return { entries: [], unreadable: [] };
  }

  const bucket = bucketKeyOf(minute, shard);
  const condition = before === undefined ? ofBucket : allOf(ofBucket, isBefore);
  const answer = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':bucket': bucket, ...(before !== undefined && { ':before': before }) },
      ExclusiveStartKey:
        after === undefined ? undefined : { [SCHEDULE_KEY.partition]: bucket, [SCHEDULE_KEY.sort]: after },
      Limit: query.limit,
      ConsistentRead: consistent,
    }),
  );
  const entries: Entry[] = [];
  const unreadable: string[] = [];
  for (const row of answer.Items ?? []) {
    const entry = entryOf(row, minute, shard);
    if (entry) entries.push(entry);
    else unreadable.push(row[SCHEDULE_KEY.sort] as string);
  }
  return {
    entries,
    unreadable,
    nextAfter: answer.LastEvaluatedKey?.[SCHEDULE_KEY.sort] as string | undefined,
  };
}

/** Whether the entry is written. Key: the entry's own. Consistent. Cost: 1 read unit. */
export async function hasEntry(access: TableAccess, entry: Entry): Promise<boolean> {
  const { Item } = await access.documents.send(
    new GetCommand({
      TableName: access.table,
      Key: { [SCHEDULE_KEY.partition]: entryBucketKey(entry), [SCHEDULE_KEY.sort]: entrySortKey(entry) },
      ProjectionExpression: '#entry',
      ExpressionAttributeNames: namesIn('#entry'),
      ConsistentRead: true,
    }),
  );
  return Item !== undefined;
}
