import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '../../lambdas/core/store/dynamo/commands';

import type { FakeRandom } from '../support/fake-random';

type Row = Record<string, unknown>;

/** A command of the document client. */
export type Command = { input: object };

export const key = (jobId: string, execId: string) => ({ jobId, execId });
const PARTITIONS = ['p', 'q'];
const SORTS = ['a', 'b', 'c', 'd', 'e'];
const NAMES = { '#j': 'jobId', '#e': 'execId', '#n': 'n', '#s': 's', '#m': 'm', '#l': 'l', '#x': 'x' };

/** Names and values that the given expressions use. */
function bindings(random: FakeRandom, ...expressions: string[]) {
  const used = new Set(expressions.join(' ').match(/[#:]\w+/g));
  const values = {
    ':n': random.between(-3, 3),
    ':o': 1.5,
    ':s': random.pick(SORTS),
    ':t': 'c',
    ':l': [random.between(0, 9)],
  };
  const pick = (all: Row) => Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  const given = pick(values);
  return {
    ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: given }),
    ExpressionAttributeNames: pick(NAMES) as Record<string, string>,
  };
}

const aKey = (random: FakeRandom) => key(random.pick(PARTITIONS), random.pick(SORTS));
const anItem = (random: FakeRandom) => ({
  ...aKey(random),
  n: random.pick([0, 1, -2, 1.5, 123_456_789]),
  s: random.pick(['', 'b', 'c', 'x'.repeat(1_100)]),
  m: random.pick([{ deep: 1 }, { deep: 'c' }, {}]),
  ...(random.fraction() < 0.7 && { l: [1, null, true] }),
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
export const randomCommands: Record<string, (random: FakeRandom, table: string) => Command> = {
  put: (random, TableName) => new PutCommand({ TableName, Item: anItem(random), ...TOTAL }),
  putIf(random, TableName) {
    const ConditionExpression = random.pick(CONDITIONS);
    const bound = bindings(random, ConditionExpression);
    return new PutCommand({ TableName, Item: anItem(random), ConditionExpression, ...bound, ...TOTAL });
  },
  update: aChange,
  updateMore: aChange,
  updateMost: aChange,
  delete: (random, TableName) => new DeleteCommand({ TableName, Key: aKey(random), ...TOTAL }),
  get: (random, TableName) =>
    new GetCommand({ TableName, Key: aKey(random), ConsistentRead: random.fraction() < 0.5, ...TOTAL }),
  query(random, TableName) {
    const range = random.pick(RANGES);
    const KeyConditionExpression = random.fraction() < 0.3 ? '#j = :j' : `#j = :j AND ${range}`;
    const { ExpressionAttributeValues, ...names } = bindings(random, KeyConditionExpression);
    return new QueryCommand({
      TableName,
      KeyConditionExpression,
      ...names,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':j': random.pick(PARTITIONS) },
      ScanIndexForward: random.fraction() < 0.5,
      Limit: random.between(1, 6),
      ConsistentRead: random.fraction() < 0.5,
      ...TOTAL,
    });
  },
  scan(random, TableName) {
    const FilterExpression = random.pick(CONDITIONS.slice(1));
    return new ScanCommand({
      TableName,
      FilterExpression,
      ...bindings(random, FilterExpression),
      ...TOTAL,
    });
  },
  batchGet: (random, table) =>
    new BatchGetCommand({
      RequestItems: { [table]: { Keys: distinct(random), ConsistentRead: random.fraction() < 0.5 } },
      ...TOTAL,
    }),
  batchWrite: (random, table) =>
    new BatchWriteCommand({
      RequestItems: {
        [table]: distinct(random).map((one) => ({ PutRequest: { Item: { ...anItem(random), ...one } } })),
      },
      ...TOTAL,
    }),
};

function aChange(random: FakeRandom, TableName: string): Command {
  const UpdateExpression = random.pick(UPDATES);
  const ConditionExpression = random.pick(CONDITIONS);
  return new UpdateCommand({
    TableName,
    Key: aKey(random),
    UpdateExpression,
    ConditionExpression,
    ...bindings(random, UpdateExpression, ConditionExpression),
    ReturnValues: random.pick(['ALL_NEW', 'ALL_OLD', undefined]),
    ...TOTAL,
  });
}

const distinct = (random: FakeRandom) =>
  PARTITIONS.flatMap((partition) => SORTS.map((sort) => key(partition, sort))).filter(
    (_, index) => index === 0 || random.fraction() < 0.5,
  );
