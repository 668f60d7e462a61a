import { QueryCommand } from '../commands';

import { compactInstant, EXECUTIONS_KEY } from '../../../contracts/tables';
import type { Row, TableAccess } from '../access';
import { isRunning } from '../executions/lease-condition';
import { namesIn } from '../expressions';

const SORT = `#${EXECUTIONS_KEY.sort}`;
/** As `countsAsLive`: a backfill is none. */
const IS_LIVE = `${isRunning} AND attribute_exists(#run) AND attribute_not_exists(#backfill)`;
const LIVE_FROM = `#${EXECUTIONS_KEY.partition} = :jobKey AND ${SORT} >= :from`;
/** Pages of 1 MB that one count reads. */
const COUNTED_PAGES = 4;

/**
 * Key: the job's executions from an instant on, newest first. Cost: half a read unit each 4 KB of their rows.
 * At most 4 MB are read, so runs behind thousands of newer executions are not counted.
 */
export async function countLive(access: TableAccess, jobKey: string, dueSinceMs: number): Promise<number> {
  let count = 0;
  let start: Row | undefined;
  for (let page = 0; page < COUNTED_PAGES; page++) {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: LIVE_FROM,
        FilterExpression: IS_LIVE,
        ExpressionAttributeNames: namesIn(LIVE_FROM, IS_LIVE, SORT),
        ExpressionAttributeValues: {
          ':running': 'running',
          ':jobKey': jobKey,
          ':from': compactInstant(dueSinceMs),
        },
        ScanIndexForward: false,
        ProjectionExpression: SORT,
        ExclusiveStartKey: start,
      }),
    );
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
    if (!start) break;
  }
  return count;
}
