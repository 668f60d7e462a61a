import { gunzipSync, gzipSync } from 'node:zlib';

import { endsKeyOf, endsSortOf, JOURNAL_START_KEY } from '../../contracts/journal-keys';
import { compactInstant, EXECUTIONS_KEY, parseCompactInstant, TTL_ATTRIBUTE } from '../../contracts/tables';
import type { JournalEnd } from '../../domain/journal-end';
import type { EndsJournal, EndsPage, EndsRow, ReadEndsRow } from '../ends-journal';
import type { Row, TableAccess } from './access';
import { PutCommand, QueryCommand } from './commands';
import { conditionalPut } from './conditional-write';
import { allOf, namesIn } from './expressions';
import { readRow } from './read-row';

const { partition, sort } = EXECUTIONS_KEY;
const ofDay = `#${partition} = :day`;
const inRange = `#${sort} BETWEEN :from AND :to`;
/** Sorts after all rows. */
const LAST = '~';
const isOfAnotherStream = `attribute_not_exists(#${sort}) OR NOT #stream = :stream`;

/** In Executions. The ends of a row are compressed, and base64, so that it is text as all other rows. */
export const dynamoEndsJournal = (access: TableAccess): EndsJournal => ({
  /** Key: the row's. No condition: rows with the same name have the same ends. Cost: 1 write unit each KB. */
  async put(row: EndsRow) {
    await access.documents.send(
      new PutCommand({
        TableName: access.table,
        Item: {
          [partition]: endsKeyOf(row.userPart, row.day),
          [sort]: endsSortOf(row.throughMs, row.name),
          ends: gzipSync(JSON.stringify(row.ends)).toString('base64'),
          writtenAtMs: row.writtenAtMs,
          [TTL_ATTRIBUTE]: row.expiresAtSec,
        },
      }),
    );
  },

  /** Cost: 1 write unit. A process asks once. */
  async begin(stream, sinceMs) {
    await conditionalPut(access, {
      Item: { ...JOURNAL_START_KEY, stream, sinceMs },
      ConditionExpression: isOfAnotherStream,
      ExpressionAttributeValues: { ':stream': stream },
    });
  },

  sinceMs: async () => (await readRow(access, JOURNAL_START_KEY))?.sinceMs as number | undefined,
  read: (userPart, day, page) => read(access, endsKeyOf(userPart, day), page),
});

/** Cost: half a read unit each 4 KB of the page, which has up to 1 MB. */
async function read(
  access: TableAccess,
  key: string,
  { fromMs, through = LAST, after, limit }: EndsPage,
): ReturnType<EndsJournal['read']> {
  const from = compactInstant(fromMs);
  if (through < from) return { rows: [] };
  const condition = allOf(ofDay, inRange);
  const { Items = [], LastEvaluatedKey } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':day': key, ':from': from, ':to': through },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : { [partition]: key, [sort]: after },
    }),
  );
  const last = LastEvaluatedKey?.[sort] as string | undefined;
  return { rows: Items.map(endsRowOf), ...(last !== undefined && { nextAfter: last }) };
}

/** A row of the journal, as it is read. */
export function endsRowOf(row: Row): ReadEndsRow {
  const position = row[sort] as string;
  const text = gunzipSync(Buffer.from(row.ends as string, 'base64')).toString('utf8');
  return {
    position,
    throughMs: parseCompactInstant(position),
    items: JSON.parse(text) as JournalEnd[],
    writtenAtMs: row.writtenAtMs as number,
  };
}
