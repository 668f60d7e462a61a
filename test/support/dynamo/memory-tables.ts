import { holds } from './conditions';
import { conditionFailed, invalid } from './errors';
import { MemoryTable, type Stored, type TableKey } from './memory-table';
import type { Bindings, Item } from './paths';
import { valueAt } from './paths';
import { queryRange } from './query-range';
import { type ExpressionInput, type Plan, planOf } from './requests';
import { applyUpdate } from './updates';
import { type Units, Usage } from './usage';
import { copyItemIn, copyOut } from './values';

export interface MemoryTablesOptions {
  /** Whether a failed condition hands over the row, as AWS does and some emulators do not. Default: true. */
  allOld?: boolean;
  /** Bytes after which a Query or Scan page ends. Default: 1 MB, as in AWS. */
  pageBytes?: number;
}

type Input = ExpressionInput & Record<string, unknown>;
type Output = Record<string, unknown>;

const DEFAULT_PAGE_BYTES = 1_024 * 1_024;
const MAX_BATCH_WRITE = 25;
const MAX_BATCH_GET = 100;

/**
 * DynamoDB in memory: tables with string keys, and the requests of the document client with their conditions, limits
 * and costs. Each request is applied at once and as a whole; time, faults and retries are the client's (`memory-dynamo`).
 */
export class MemoryTables {
  private readonly tables: ReadonlyMap<string, MemoryTable>;
  private readonly allOld: boolean;
  private readonly pageBytes: number;
  readonly usage = new Usage();

  constructor(schema: Readonly<Record<string, TableKey>>, options: MemoryTablesOptions = {}) {
    this.tables = new Map(
      Object.entries(schema).map(([name, { partition, sort }]) => [
        name,
        new MemoryTable(name, { partition, sort }),
      ]),
    );
    this.allOld = options.allOld ?? true;
    this.pageBytes = options.pageBytes ?? DEFAULT_PAGE_BYTES;
  }

  /** Read and write units so far, of one table or of all. */
  units(table?: string): Units {
    return this.usage.of(table);
  }

  /** A copy of every row of a table. */
  rows(table: string): Item[] {
    return [...this.table(table).all()].map(({ item }) => copyOut(item));
  }

  /** Removes the rows whose TTL attribute lies before `nowSec`, as DynamoDB does some day. Costs nothing. */
  expire(tableName: string, ttlAttribute: string, nowSec: number): number {
    const table = this.table(tableName);
    const expired = [...table.all()].filter(({ item }) => (item[ttlAttribute] as number) < nowSec);
    for (const { item } of expired) table.delete(...table.keyOf(item));
    return expired.length;
  }

  apply(command: string, input: Input, skips: (table: string, key: Item) => boolean): Output {
    switch (command) {
      case 'GetCommand':
        return this.get(input);
      case 'PutCommand':
        return this.put(input);
      case 'UpdateCommand':
        return this.update(input);
      case 'DeleteCommand':
        return this.delete(input);
      case 'QueryCommand':
        return this.query(input);
      case 'ScanCommand':
        return this.scan(input);
      case 'BatchGetCommand':
        return this.batchGet(input, skips);
      case 'BatchWriteCommand':
        return this.batchWrite(input, skips);
      default:
        throw new Error(`${command} is not supported`);
    }
  }

  private get(input: Input): Output {
    const table = this.tableOf(input, ['Key', 'ConsistentRead', 'ProjectionExpression']);
    const stored = table.get(...this.keyIn(table, input.Key as Item));
    this.usage.read(table.name, stored?.bytes ?? 0, input.ConsistentRead === true);
    return { Item: stored && project(stored.item, planOf(input)) };
  }

  private put(input: Input): Output {
    const table = this.tableOf(input, [
      'Item',
      'ConditionExpression',
      'ReturnValues',
      'ReturnValuesOnConditionCheckFailure',
    ]);
    if (input.ReturnValues !== undefined) throw new Error('ReturnValues of a put is not supported');
    const item = copyItemIn(input.Item as Item);
    const before = table.get(...table.keyOf(item));
    this.check(table, before, planOf(input), input);
    this.usage.write(table.name, Math.max(before?.bytes ?? 0, table.put(item).bytes));
    return {};
  }

  private update(input: Input): Output {
    const table = this.tableOf(input, [
      'Key',
      'UpdateExpression',
      'ConditionExpression',
      'ReturnValues',
      'ReturnValuesOnConditionCheckFailure',
    ]);
    const plan = planOf(input);
    const key = this.keyIn(table, input.Key as Item);
    const before = table.get(...key);
    this.check(table, before, plan, input);
    const item = before ? copyOut(before.item) : { [table.key.partition]: key[0], [table.key.sort]: key[1] };
    if (plan.update) change(table, before?.item ?? {}, item, plan);
    this.usage.write(table.name, Math.max(before?.bytes ?? 0, table.put(item).bytes));
    if (input.ReturnValues === 'ALL_NEW') return { Attributes: copyOut(item) };
    if (input.ReturnValues === 'ALL_OLD') return { Attributes: before && copyOut(before.item) };
    if (input.ReturnValues !== undefined) throw new Error(`ReturnValues ${String(input.ReturnValues)}`);
    return {};
  }

  private delete(input: Input): Output {
    const table = this.tableOf(input, ['Key', 'ConditionExpression', 'ReturnValuesOnConditionCheckFailure']);
    const key = this.keyIn(table, input.Key as Item);
    const before = table.get(...key);
    this.check(table, before, planOf(input), input);
    table.delete(...key);
    this.usage.write(table.name, before?.bytes ?? 0);
    return {};
  }

  private query(input: Input): Output {
    const table = this.tableOf(input, [
      'KeyConditionExpression',
      'FilterExpression',
      'ProjectionExpression',
      'ExclusiveStartKey',
      'ScanIndexForward',
      'Limit',
      'ConsistentRead',
    ]);
    const plan = planOf(input);
    const start = input.ExclusiveStartKey && this.keyIn(table, input.ExclusiveStartKey as Item);
    const range = queryRange(
      table,
      plan,
      start as [string, string] | undefined,
      input.ScanIndexForward !== false,
    );
    return this.page(table, range, plan, input);
  }

  private scan(input: Input): Output {
    const table = this.tableOf(input, ['FilterExpression', 'ExclusiveStartKey', 'Limit', 'ConsistentRead']);
    const start = input.ExclusiveStartKey && this.keyIn(table, input.ExclusiveStartKey as Item);
    return this.page(table, table.all(start as [string, string] | undefined), planOf(input), input);
  }

  /** One page: it ends at the limit or at so many bytes, and then names the last key it looked at. */
  private page(table: MemoryTable, range: Iterable<Stored>, plan: Plan, input: Input): Output {
    const limit = (input.Limit as number | undefined) ?? Number.POSITIVE_INFINITY;
    if (limit < 1) throw invalid(`Limit is ${limit}, must be 1 or more`);
    const items: Item[] = [];
    let bytes = 0;
    let looked = 0;
    let last: Item | undefined;
    for (const stored of range) {
      looked += 1;
      bytes += stored.bytes;
      if (!plan.filter || holds(plan.filter, stored.item, plan.bindings))
        items.push(project(stored.item, plan));
      if (looked >= limit || bytes >= this.pageBytes) {
        last = stored.item;
        break;
      }
    }
    this.usage.read(table.name, bytes, input.ConsistentRead === true);
    const { partition, sort } = table.key;
    const LastEvaluatedKey = last && { [partition]: last[partition], [sort]: last[sort] };
    return { Items: items, Count: items.length, ScannedCount: looked, LastEvaluatedKey };
  }

  private batchGet(input: Input, skips: (table: string, key: Item) => boolean): Output {
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, { Keys: Item[]; ConsistentRead: boolean }> = {};
    const requests = Object.entries(
      input.RequestItems as Record<string, { Keys: Item[]; ConsistentRead?: boolean }>,
    );
    checkCount(
      requests.reduce((sum, [, { Keys }]) => sum + Keys.length, 0),
      MAX_BATCH_GET,
    );
    for (const [name, { Keys, ConsistentRead }] of requests) {
      const table = this.table(name);
      const keys = Keys.map((key) => this.keyIn(table, key));
      checkDistinct(keys);
      Responses[name] = [];
      for (const [index, key] of keys.entries()) {
        if (skips(name, Keys[index]!)) {
          UnprocessedKeys[name] ??= { Keys: [], ConsistentRead: ConsistentRead === true };
          UnprocessedKeys[name].Keys.push(copyItemIn(Keys[index]!));
          continue;
        }
        const stored = table.get(...key);
        this.usage.read(name, stored?.bytes ?? 0, ConsistentRead === true);
        if (stored) Responses[name].push(copyOut(stored.item));
      }
    }
    return { Responses, UnprocessedKeys };
  }

  private batchWrite(input: Input, skips: (table: string, key: Item) => boolean): Output {
    const UnprocessedItems: Record<string, unknown[]> = {};
    const requests = Object.entries(input.RequestItems as Record<string, { PutRequest?: { Item: Item } }[]>);
    checkCount(
      requests.reduce((sum, [, puts]) => sum + puts.length, 0),
      MAX_BATCH_WRITE,
    );
    for (const [name, puts] of requests) {
      const table = this.table(name);
      const items = puts.map(({ PutRequest }) => {
        if (!PutRequest) throw new Error('a batch of deletes is not supported');
        return copyItemIn(PutRequest.Item);
      });
      checkDistinct(items.map((item) => table.keyOf(item)));
      for (const [index, item] of items.entries()) {
        if (skips(name, item)) {
          (UnprocessedItems[name] ??= []).push(puts[index]);
          continue;
        }
        const before = table.get(...table.keyOf(item));
        this.usage.write(name, Math.max(before?.bytes ?? 0, table.put(item).bytes));
      }
    }
    return { UnprocessedItems };
  }

  /** A failed condition costs as much as the write to the row that is there. */
  private check(table: MemoryTable, before: Stored | undefined, plan: Plan, input: Input): void {
    if (!plan.condition || holds(plan.condition, before?.item ?? {}, plan.bindings)) return;
    this.usage.write(table.name, before?.bytes ?? 0);
    const handsOver = this.allOld && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    throw conditionFailed(handsOver ? before?.item : undefined);
  }

  private tableOf(input: Input, supported: readonly string[]): MemoryTable {
    const common = [
      'TableName',
      'ExpressionAttributeNames',
      'ExpressionAttributeValues',
      'ReturnConsumedCapacity',
    ];
    for (const name of Object.keys(input)) {
      if (!supported.includes(name) && !common.includes(name) && input[name] !== undefined) {
        throw new Error(`parameter ${name} is not supported`);
      }
    }
    return this.table(input.TableName as string);
  }

  private table(name: string): MemoryTable {
    const table = this.tables.get(name);
    if (!table) throw Object.assign(invalid(`no table ${name}`), { name: 'ResourceNotFoundException' });
    return table;
  }

  private keyIn(table: MemoryTable, key: Item): [string, string] {
    const extra = Object.keys(key).filter((name) => name !== table.key.partition && name !== table.key.sort);
    if (extra.length > 0) throw invalid('The provided key element does not match the schema');
    return table.keyOf(key);
  }
}

function change(table: MemoryTable, before: Item, after: Item, plan: Plan): void {
  const { partition, sort } = table.key;
  const key = [after[partition], after[sort]];
  applyUpdate(plan.update!, before, after, plan.bindings);
  if (after[partition] !== key[0] || after[sort] !== key[1]) {
    throw invalid('Cannot update attribute. This attribute is part of the key');
  }
}

function project(
  item: Item,
  { projection, bindings }: { projection?: Plan['projection']; bindings: Bindings },
): Item {
  if (!projection) return copyOut(item);
  const projected: Item = {};
  for (const path of projection) {
    const [first] = path;
    if (path.length !== 1) throw new Error('projection of nested attributes is not supported');
    const value = valueAt(item, path, bindings);
    const name = bindings.names[first as string] ?? (first as string);
    if (value !== undefined) projected[name] = copyOut(value);
  }
  return projected;
}

function checkCount(count: number, max: number): void {
  if (count < 1 || count > max) throw invalid(`${count} requests in a batch, must be 1 to ${max}`);
}

function checkDistinct(keys: readonly [string, string][]): void {
  if (new Set(keys.map((key) => JSON.stringify(key))).size !== keys.length) {
    throw invalid('Provided list of item keys contains duplicates');
  }
}
