import { type Database, type Input, keyIn, type Output, spell } from './database';
import { invalid } from './errors';
import type { Item } from './paths';
import { type ExpressionInput, planOf } from './requests';

const MAX_BATCH_WRITE = 25;
const MAX_BATCH_GET = 100;

/** Whether a key of a batch is left unprocessed. */
export type Skips = (table: string, key: Item) => boolean;

export function batchGet(database: Database, input: Input, skips: Skips): Output {
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, { Keys: Item[]; ConsistentRead: boolean }> = {};
  const requests = Object.entries(
    input.RequestItems as Record<string, { Keys: Item[]; ConsistentRead?: boolean } & ExpressionInput>,
  );
  checkCount(
    requests.reduce((sum, [, { Keys }]) => sum + Keys.length, 0),
    MAX_BATCH_GET,
  );
  for (const [name, { Keys, ConsistentRead, ...expressions }] of requests) {
    const plan = planOf(expressions, database.notation);
    const table = database.table(name);
    const keys = Keys.map((key) => keyIn(database, table, key));
    checkDistinct(keys);
    Responses[name] = [];
    for (const [index, key] of keys.entries()) {
      if (skips(name, Keys[index]!)) {
        UnprocessedKeys[name] ??= { Keys: [], ConsistentRead: ConsistentRead === true };
        UnprocessedKeys[name].Keys.push(Keys[index]!);
        continue;
      }
      const stored = table.get(...key);
      database.usage.read(name, stored?.bytes ?? 0, ConsistentRead === true);
      if (stored) Responses[name].push(spell(stored.item, database.notation, plan));
    }
  }
  return { Responses, UnprocessedKeys };
}

interface WriteRequest {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

export function batchWrite(database: Database, input: Input, skips: Skips): Output {
  const UnprocessedItems: Record<string, unknown[]> = {};
  const requests = Object.entries(input.RequestItems as Record<string, WriteRequest[]>);
  checkCount(
    requests.reduce((sum, [, writes]) => sum + writes.length, 0),
    MAX_BATCH_WRITE,
  );
  for (const [name, writes] of requests) {
    const table = database.table(name);
    const items = writes.map(({ PutRequest, DeleteRequest }) =>
      database.notation.itemIn(PutRequest?.Item ?? DeleteRequest!.Key),
    );
    checkDistinct(items.map((item) => table.keyOf(item)));
    for (const [index, item] of items.entries()) {
      if (skips(name, item)) {
        (UnprocessedItems[name] ??= []).push(writes[index]);
        continue;
      }
      const key = table.keyOf(item);
      const bytesBefore = table.get(...key)?.bytes ?? 0;
      const isDelete = writes[index]!.DeleteRequest !== undefined;
      if (isDelete) table.delete(...key);
      database.usage.write(name, Math.max(bytesBefore, isDelete ? 0 : table.put(item).bytes));
    }
  }
  return { UnprocessedItems };
}

function checkCount(count: number, max: number): void {
  if (count < 1 || count > max) throw invalid(`${count} requests in a batch, must be 1 to ${max}`);
}

function checkDistinct(keys: readonly [string, string][]): void {
  if (new Set(keys.map((key) => JSON.stringify(key))).size !== keys.length) {
    throw invalid('Provided list of item keys contains duplicates');
  }
}
