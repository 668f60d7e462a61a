import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';

import { chunksOf } from '../../async/chunks';
import { inParallel } from '../../async/in-parallel';
import { pause, type Row, type TableAccess } from './access';
import { namesIn } from './expressions';

const KEYS_A_CALL = 100;
const CALLS_AT_ONCE = 4;
const MAX_TRIES = 4;
const GENTLE_PAUSE_MS = 25;

export interface BatchGetOptions {
  consistent: boolean;
  /** Of each row, keys included. @default all */
  attributes?: readonly string[];
  /** One call at a time with a pause between, for reading that gives way to all that is urgent. */
  gently?: boolean;
}

/**
 * Reads rows by their keys (no key twice), a hundred a call. `unread` are keys without an answer: unprocessed, or in
 * a call that was throttled to its end. A row that is in neither does not exist.
 * Cost: a row of 4 KB or less is 1 read unit, half where not `consistent`; so is a missing one.
 */
export async function batchGet(
  access: TableAccess,
  keys: readonly Row[],
  options: BatchGetOptions,
): Promise<{ rows: Row[]; unread: Row[] }> {
  const chunks = chunksOf(keys, KEYS_A_CALL);
  const rows: Row[] = [];
  const unread: Row[] = [];
  await inParallel(chunks, options.gently ? 1 : CALLS_AT_ONCE, async (chunk) => {
    if (options.gently && chunk !== chunks[0]) await access.clock.sleep(GENTLE_PAUSE_MS);
    const answer = await readChunk(access, chunk, options);
    rows.push(...answer.rows);
    unread.push(...answer.unread);
  });
  return { rows, unread };
}

async function readChunk(
  access: TableAccess,
  chunk: readonly Row[],
  { consistent, attributes }: BatchGetOptions,
): Promise<{ rows: Row[]; unread: readonly Row[] }> {
  const rows: Row[] = [];
  let open = chunk;
  const projection = attributes?.map((name) => `#${name}`).join(', ');
  for (let tries = 0; open.length > 0 && tries < MAX_TRIES; tries++) {
    if (tries > 0) await pause(access, tries);
    try {
      const answer = await access.documents.send(
        new BatchGetCommand({
          RequestItems: {
            [access.table]: {
              Keys: [...open],
              ConsistentRead: consistent,
              ...(projection !== undefined && {
                ProjectionExpression: projection,
                ExpressionAttributeNames: namesIn(projection),
              }),
            },
          },
        }),
      );
      rows.push(...(answer.Responses?.[access.table] ?? []));
      open = answer.UnprocessedKeys?.[access.table]?.Keys ?? [];
    } catch (error) {
      if (!isThrottle(error)) throw error;
    }
  }
  return { rows, unread: open };
}

const THROTTLES = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];
const isThrottle = (error: unknown): boolean => error instanceof Error && THROTTLES.includes(error.name);
