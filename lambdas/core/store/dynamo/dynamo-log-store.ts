import { gunzipSync, gzipSync } from 'node:zlib';

import { GetCommand, UpdateCommand } from './commands';

import { EXECUTIONS_KEY, TTL_ATTRIBUTE } from '../../contracts/tables';
import { logChunkSortOf, logDayKeyOf, logHeadSortOf, logKeyOf } from '../../contracts/work-keys';
import type { ExecutionRef } from '../execution-store';
import type { LogAttempt, LogChunk, LogRows, LogStore, StoredLine } from '../log-store';
import type { Row, TableAccess } from './access';
import { conditionalPut } from './conditional-write';
import { namesIn } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const { partition, sort } = EXECUTIONS_KEY;
const isNew = `attribute_not_exists(#${sort})`;
const adding = `SET #bytes = if_not_exists(#bytes, :none) + :bytes, #${TTL_ATTRIBUTE} = :expiresAtSec`;
/** Chunks sort after the heads. */
const chunksAfter = `#${partition} = :log AND #${sort} > :after`;
const FIRST_CHUNK = '0';

const headKey = (attempt: LogAttempt): Row => ({
  [partition]: logKeyOf(attempt),
  [sort]: logHeadSortOf(attempt),
});

/**
 * In Executions: one partition for each log. A chunk is compressed, and base64, so that it is text as all
 * other rows. Cost of an append: 1 read unit, 1 write unit each KB of the chunk, and 2 for the sums.
 */
export const dynamoLogStore = (access: TableAccess): LogStore => ({
  async putChunk(chunk, expiresAtSec) {
    const key = { [partition]: logKeyOf(chunk), [sort]: logChunkSortOf(chunk) };
    const answer = await conditionalPut(access, {
      Item: {
        ...key,
        lines: gzipSync(JSON.stringify(chunk.lines)).toString('base64'),
        hash: chunk.hash,
        [TTL_ATTRIBUTE]: expiresAtSec,
      },
      ConditionExpression: isNew,
    });
    if (answer.applied) return 'written';
    const current = answer.current ?? (await readRow(access, key));
    return current?.hash === chunk.hash ? 'exists' : 'different';
  },

  bytesOf: (attempt) => bytesIn(access, headKey(attempt)),
  addBytes: (attempt, bytes, expiresAtSec) => addBytes(access, headKey(attempt), bytes, expiresAtSec),
  bytesOfDay: (project, day) => bytesIn(access, logDayKeyOf(project, day)),
  async addBytesOfDay(project, day, bytes, expiresAtSec) {
    await addBytes(access, logDayKeyOf(project, day), bytes, expiresAtSec);
  },

  read: (ref, page) => read(access, ref, page),
});

async function bytesIn(access: TableAccess, Key: Row): Promise<number> {
  const { Item } = await access.documents.send(new GetCommand({ TableName: access.table, Key }));
  return (Item?.bytes as number | undefined) ?? 0;
}

/** A try whose answer was lost may count twice: the limits are not that exact. */
async function addBytes(access: TableAccess, Key: Row, bytes: number, expiresAtSec: number): Promise<number> {
  const { Attributes } = await access.documents.send(
    new UpdateCommand({
      TableName: access.table,
      Key,
      UpdateExpression: adding,
      ExpressionAttributeNames: namesIn(adding),
      ExpressionAttributeValues: { ':none': 0, ':bytes': bytes, ':expiresAtSec': expiresAtSec },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return (Attributes?.bytes as number | undefined) ?? bytes;
}

async function read(
  access: TableAccess,
  ref: ExecutionRef,
  { after = FIRST_CHUNK, limit }: { after?: string; limit: number },
): Promise<LogRows> {
  const { rows, more } = await queryRows(access, {
    condition: chunksAfter,
    values: { ':log': logKeyOf(ref), ':after': after },
    limit,
  });
  const last = more ? (rows.at(-1)?.[sort] as string | undefined) : undefined;
  return { chunks: rows.map((row) => chunkOf(ref, row)), ...(last !== undefined && { nextAfter: last }) };
}

function chunkOf(ref: ExecutionRef, row: Row): LogChunk & { position: string } {
  const position = row[sort] as string;
  const [fence, attempt, chunk] = position.split('#').map(Number);
  const text = gunzipSync(Buffer.from(row.lines as string, 'base64')).toString('utf8');
  return {
    ...ref,
    position,
    fence: fence!,
    attempt: attempt!,
    chunk: chunk!,
    hash: row.hash as string,
    lines: JSON.parse(text) as StoredLine[],
  };
}
