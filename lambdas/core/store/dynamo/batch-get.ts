import { BatchGetCommand } from './commands';

import { chunksOf } from '../../async/chunks';
import { inParallel } from '../../async/in-parallel';
import { pause, type Row, type TableAccess } from './access';
import { namesIn } from './expressions';

const KEYS_A_CALL = 100;
const PARALLEL_CALLS = 4;
const MAX_TRIES = 4;
const BACKGROUND_PAUSE_MS = 25;

export interface BatchGetOptions {
  consistent: boolean;
  /** Attributes to read, keys included. @default all */
  attributes?: readonly string[];
  /** One call at a time with a pause between, so that urgent work goes first. */
  inBackground?: boolean;
}

/**
 * Reads rows by their keys, a hundred a call. No key may be given twice. `unread` holds the keys without an
 * answer: DynamoDB left them unprocessed, or throttled their call on every try. A row that is in neither does
 * not exist.
 * Cost: 1 read unit for a row of 4 KB or less, half of that if not `consistent`. A missing row costs the
 * same.
 */
export async function batchGet(
  access: TableAccess,
  keys: readonly Row[],
  options: BatchGetOptions,
): Promise<{ rows: Row[]; unread: Row[] }> {
  const chunks = chunksOf(keys, KEYS_A_CALL);
  const rows: Row[] = [];
  const unread: Row[] = [];
  await inParallel(chunks, options.inBackground ? 1 : PARALLEL_CALLS, async (chunk) => {
    if (options.inBackground && chunk !== chunks[0]) await access.clock.sleep(BACKGROUND_PAUSE_MS);
    const answer = await readChunk(access, chunk, options);
    rows.push(...answer.rows);
    unread.push(...answer.unread);
  });
  return { rows, unread };
}

/** How ids, keys and rows of one kind of item belong together. */
export interface ItemMapping<Ref, Item> {
  /** The id under which the caller finds the item. */
  idOf(ref: Ref): string;
  keyOf(ref: Ref): Row;
  /** The reference in a row, or in its key. */
  refOf(row: Row): Ref;
  /** Throws if the row is no such item. */
  itemOf(row: Row): Item;
}

export interface ItemsRead<Item> {
  items: Map<string, Item>;
  /** Ids of keys without an answer. */
  unread: Set<string>;
  /** Ids of rows that exist and are no such item. */
  unreadable: Set<string>;
}

/** Reads items by their references, which may repeat. All results are by id. Cost: as `batchGet`. */
export async function readItems<Ref, Item>(
  access: TableAccess,
  refs: readonly Ref[],
  { idOf, keyOf, refOf, itemOf }: ItemMapping<Ref, Item>,
  options: BatchGetOptions,
): Promise<ItemsRead<Item>> {
  const keys = [...new Map(refs.map((ref) => [idOf(ref), keyOf(ref)])).values()];
  const answer = await batchGet(access, keys, options);
  const items = new Map<string, Item>();
  const unreadable = new Set<string>();
  for (const row of answer.rows) {
    const id = idOf(refOf(row));
    try {
      items.set(id, itemOf(row));
    } catch {
      unreadable.add(id);
    }
  }
  return { items, unread: new Set(answer.unread.map((key) => idOf(refOf(key)))), unreadable };
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
