import { QueryCommand } from './commands';

import type { Row, TableAccess } from './access';
import { namesIn } from './expressions';

export interface RowsQuery {
  /** On the keys, with `#name` for each attribute. */
  condition: string;
  values: Row;
  /** On other attributes. Rows that it leaves out cost as much as the others. */
  filter?: string;
  /** The attributes to return, each as `#name`. Default: all. */
  projection?: string;
  /** The key after which to begin. Default: before the first row. */
  after?: Row | undefined;
  /** At most so many rows. Default: all. */
  limit?: number;
  /** The last row first. */
  backwards?: boolean;
  /** False: the rows may be older by a second, for half the price. Default: true. */
  consistent?: boolean;
}

export interface Rows {
  rows: Row[];
  /** Whether DynamoDB stopped at the limit before the end. */
  more: boolean;
}

/** The rows of a query, over all its pages. Cost: 1 read unit each 4 KB, half if it is not consistent. */
export async function queryRows(access: TableAccess, query: RowsQuery): Promise<Rows> {
  let { after } = query;
  const { condition, values, filter, projection, limit, backwards = false, consistent = true } = query;
  const texts = [condition, filter, projection].filter((text) => text !== undefined);
  const rows: Row[] = [];
  do {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: condition,
        FilterExpression: filter,
        ProjectionExpression: projection,
        ExpressionAttributeNames: namesIn(...texts),
        ExpressionAttributeValues: values,
        ExclusiveStartKey: after,
        ...(limit !== undefined && { Limit: limit - rows.length }),
        ...(backwards && { ScanIndexForward: false }),
        ...(consistent && { ConsistentRead: true }),
      }),
    );
    rows.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
  } while (after && (limit === undefined || rows.length < limit));
  return { rows, more: after !== undefined };
}
