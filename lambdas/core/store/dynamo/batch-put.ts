import { BatchWriteCommand, PutCommand } from './commands';

import { allEnded } from '../../async/all-ended';
import { chunksOf } from '../../async/chunks';
import { SCHEDULE_KEY } from '../../contracts/tables';
import { WRITE_DEADLINE_MS } from '../../domain/timing';
import { WriteTimeoutError } from '../../errors';
import { pause, type Row, type TableAccess } from './access';
import { giveUpAfter } from './give-up-after';

const ROWS_A_CALL = 25;

/**
 * Puts rows of Schedule without a condition, 25 a call. Rows with the same key count as one: the last is
 * written.
 * Cost: 1 write unit a row.
 *
 * @param what the rows in the plural, for the error
 * @throws WriteTimeoutError if DynamoDB has not acknowledged all of them within `withinMs`. Nothing is sent
 *   if that is 0 or less.
 */
export async function batchPut(
  access: TableAccess,
  given: readonly Row[],
  what: string,
  withinMs: number = WRITE_DEADLINE_MS,
): Promise<void> {
  const rows = [...new Map(given.map((row) => [keyTextOf(row), row])).values()];
  if (rows.length === 0) return;
  if (withinMs <= 0) throw new WriteTimeoutError(`no time was left to write ${rows.length} ${what}`);
  await giveUpAfter(access.clock, withinMs, `${rows.length} ${what}`, async (abortSignal) => {
    const [only] = rows;
    if (rows.length === 1) {
      await access.documents.send(new PutCommand({ TableName: access.table, Item: only }), { abortSignal });
      return;
    }
    await allEnded(chunksOf(rows, ROWS_A_CALL).map((chunk) => putChunk(access, chunk, abortSignal)));
  });
}

/** Sends again what DynamoDB left unprocessed, until nothing is left or the signal aborts. */
async function putChunk(access: TableAccess, chunk: readonly Row[], abortSignal: AbortSignal): Promise<void> {
  let open = chunk.map((row) => ({ PutRequest: { Item: row } }));
  for (let tries = 0; open.length > 0 && !abortSignal.aborted; tries++) {
    if (tries > 0) await pause(access, tries, abortSignal);
    const answer = await access.documents.send(
      new BatchWriteCommand({ RequestItems: { [access.table]: open } }),
      { abortSignal },
    );
    open = (answer.UnprocessedItems?.[access.table] ?? []) as typeof open;
  }
}

/** DynamoDB rejects a batch that has two rows with the same key. */
const keyTextOf = (row: Row): string => JSON.stringify([row[SCHEDULE_KEY.partition], row[SCHEDULE_KEY.sort]]);
