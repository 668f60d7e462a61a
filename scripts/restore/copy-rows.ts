import type { DocumentClient } from '../../lambdas/core/store/dynamo/access';
import { BatchWriteCommand, ScanCommand } from '../../lambdas/core/store/dynamo/commands';

export type Row = Record<string, unknown>;
type Write = { PutRequest: { Item: Row } } | { DeleteRequest: { Key: Row } };

/** A table and the client that reaches it. */
export interface Side {
  readonly documents: DocumentClient;
  readonly table: string;
}

export interface RowKey {
  readonly partition: string;
  readonly sort: string;
}

/** DynamoDB takes at most these in one request. */
const BATCH = 25;
/** Before what a batch left over is sent again: DynamoDB was throttled. */
const PAUSE_MS = 500;

/** What is copied, and the rows that stay as they are. */
export interface Replacement {
  readonly from: Side;
  readonly to: Side;
  readonly key: RowKey;
  readonly stays: (key: Row) => boolean;
}

/**
 * Makes a table what another one is: deletes its rows, then copies those of the other, except for rows that
 * stay. A repeat after a failure has the same result.
 *
 * @returns how many rows were deleted and copied
 */
export async function replaceRows(
  { from, to, key, stays }: Replacement,
  sleep: (ms: number) => Promise<unknown>,
): Promise<{ deleted: number; copied: number }> {
  const deleted = await writeAll(to, stays, sleep, {
    rows: rowsOf(to),
    write: (row) => ({ DeleteRequest: { Key: keyOf(row, key) } }),
  });
  const copied = await writeAll(to, stays, sleep, {
    rows: rowsOf(from),
    write: (row) => ({ PutRequest: { Item: row } }),
  });
  return { deleted, copied };
}

const keyOf = (row: Row, { partition, sort }: RowKey): Row => ({
  [partition]: row[partition],
  [sort]: row[sort],
});

/** All rows of a table, page by page. */
async function* rowsOf({ documents, table }: Side): AsyncGenerator<Row> {
  let ExclusiveStartKey: Row | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey }),
    );
    yield* page.Items ?? [];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

async function writeAll(
  to: Side,
  stays: Replacement['stays'],
  sleep: (ms: number) => Promise<unknown>,
  { rows, write }: { rows: AsyncIterable<Row>; write: (row: Row) => Write },
): Promise<number> {
  let count = 0;
  let batch: Write[] = [];
  for await (const row of rows) {
    if (stays(row)) continue;
    batch.push(write(row));
    count += 1;
    if (batch.length < BATCH) continue;
    await writeBatch(to, batch, sleep);
    batch = [];
  }
  if (batch.length > 0) await writeBatch(to, batch, sleep);
  return count;
}

async function writeBatch(
  { documents, table }: Side,
  batch: readonly Write[],
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  let left: readonly Write[] = batch;
  while (left.length > 0) {
    const { UnprocessedItems } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [table]: [...left] } }),
    );
    left = (UnprocessedItems?.[table] ?? []) as Write[];
    if (left.length > 0) await sleep(PAUSE_MS);
  }
}
