import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import type { FakeChance } from '../support/fake-chance';

type Row = Record<string, unknown>;

/** A command of the document client. */
export type Command = { input: object };

export const key = (jobId: string, execId: string) => ({ jobId, execId });
const PARTITIONS = ['p', 'q'];
const SORTS = ['a', 'b', 'c', 'd', 'e'];
const NAMES = { '#j': 'jobId', '#e': 'execId', '#n': 'n', '#s': 's', '#m': 'm', '#l': 'l', '#x': 'x' };

/** Names and values that the given expressions use. */
function bindings(chance: FakeChance, ...expressions: string[]) {
  const used = new Set(expressions.join(' ').match(/[#:]\w+/g));
  const values = {
    ':n': chance.between(-3, 3),
    ':o': 1.5,
    ':s': chance.pick(SORTS),
    ':t': 'c',
    ':l': [chance.between(0, 9)],
  };
  const pick = (all: Row) => Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  const given = pick(values);
  return {
    ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: given }),
    ExpressionAttributeNames: pick(NAMES) as Record<string, string>,
  };
}

const aKey = (chance: FakeChance) => key(chance.pick(PARTITIONS), chance.pick(SORTS));
const anItem = (chance: FakeChance) => ({
  ...aKey(chance),
  n: chance.pick([0, 1, -2, 1.5, 123_456_789]),
  s: chance.pick(['', 'b', 'c', 'x'.repeat(1_100)]),
  m: chance.pick([{ deep: 1 }, { deep: 'c' }, {}]),
  ...(chance.fraction() < 0.7 && { l: [1, null, true] }),
});

const CONDITIONS = [
  'attribute_not_exists(#e)',
  'attribute_exists(#l)',
  '#n = :n',
  '#n < :n OR #s > :s',
  'NOT #n >= :n',
  '#n BETWEEN :n AND :o',
  '#s IN (:s, :t)',
  'begins_with(#s, :t)',
  'contains(#l, :o) OR size(#s) > :o',
  '#m.#x = :t OR attribute_exists(#m.#x)',
  '(#n = :n OR attribute_not_exists(#n)) AND (#s = :s OR #s <= :t)',
];
const UPDATES = [
  'SET #n = if_not_exists(#n, :n) + :o',
  'SET #l = list_append(if_not_exists(#l, :l), :l)',
  'SET #s = :s REMOVE #l, #x',
  'SET #n = :n, #s = #s',
  'SET #x = :l, #n = :o REMOVE #m',
  'REMOVE #m.#x',
];
const RANGES = [
  '#e = :s',
  '#e < :s',
  '#e <= :s',
  '#e > :s',
  '#e >= :s',
  '#e BETWEEN :t AND :s',
  'begins_with(#e, :s)',
];

const TOTAL = { ReturnConsumedCapacity: 'TOTAL' as const };

/** One kind of random command each, on a table with the keys of Executions. */
export const randomCommands: Record<string, (chance: FakeChance, table: string) => Command> = {
  put: (chance, TableName) => new PutCommand({ TableName, Item: anItem(chance), ...TOTAL }),
  putIf(chance, TableName) {
    const ConditionExpression = chance.pick(CONDITIONS);
    const bound = bindings(chance, ConditionExpression);
    return new PutCommand({ TableName, Item: anItem(chance), ConditionExpression, ...bound, ...TOTAL });
  },
  update: aChange,
  updateMore: aChange,
  updateMost: aChange,
  delete: (chance, TableName) => new DeleteCommand({ TableName, Key: aKey(chance), ...TOTAL }),
  get: (chance, TableName) =>
    new GetCommand({ TableName, Key: aKey(chance), ConsistentRead: chance.fraction() < 0.5, ...TOTAL }),
  query(chance, TableName) {
    const range = chance.pick(RANGES);
    const KeyConditionExpression = chance.fraction() < 0.3 ? '#j = :j' : `#j = :j AND ${range}`;
    const { ExpressionAttributeValues, ...names } = bindings(chance, KeyConditionExpression);
    return new QueryCommand({
      TableName,
      KeyConditionExpression,
      ...names,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':j': chance.pick(PARTITIONS) },
      ScanIndexForward: chance.fraction() < 0.5,
      Limit: chance.between(1, 6),
      ConsistentRead: chance.fraction() < 0.5,
      ...TOTAL,
    });
  },
  scan(chance, TableName) {
    const FilterExpression = chance.pick(CONDITIONS.slice(1));
    return new ScanCommand({
      TableName,
      FilterExpression,
      ...bindings(chance, FilterExpression),
      ...TOTAL,
    });
  },
  batchGet: (chance, table) =>
    new BatchGetCommand({
      RequestItems: { [table]: { Keys: distinct(chance), ConsistentRead: chance.fraction() < 0.5 } },
      ...TOTAL,
    }),
  batchWrite: (chance, table) =>
    new BatchWriteCommand({
      RequestItems: {
        [table]: distinct(chance).map((one) => ({ PutRequest: { Item: { ...anItem(chance), ...one } } })),
      },
      ...TOTAL,
    }),
};

function aChange(chance: FakeChance, TableName: string): Command {
  const UpdateExpression = chance.pick(UPDATES);
  const ConditionExpression = chance.pick(CONDITIONS);
  return new UpdateCommand({
    TableName,
    Key: aKey(chance),
    UpdateExpression,
    ConditionExpression,
    ...bindings(chance, UpdateExpression, ConditionExpression),
    ReturnValues: chance.pick(['ALL_NEW', 'ALL_OLD', undefined]),
    ...TOTAL,
  });
}

const distinct = (chance: FakeChance) =>
  PARTITIONS.flatMap((partition) => SORTS.map((sort) => key(partition, sort))).filter(
    (_, index) => index === 0 || chance.fraction() < 0.5,
  );
