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

import { JOBS_KEY } from '../../lambdas/core/contracts/tables';
import type { DocumentClient } from '../../lambdas/core/store/dynamo/access';
import type { DynamoBackend } from '../support/dynamo/backend';
import { startDynalite } from '../support/dynamo/dynalite';
import { MemoryDynamo } from '../support/dynamo/memory-dynamo';
import { MemoryTables } from '../support/dynamo/memory-tables';
import { openSdkBackend } from '../support/dynamo/sdk-backend';

/** What tables in memory count, held against what dynalite says of the same requests. */
describe('request units', () => {
  let backend: DynamoBackend;
  let stop: () => Promise<void>;
  let documents: DocumentClient;

  beforeAll(async () => {
    const server = await startDynalite();
    stop = server.stop;
    backend = await openSdkBackend('units', server.endpoint);
    documents = backend.client().documents;
  });
  afterAll(async () => {
    await backend.close();
    await stop();
  });

  const TableName = 'units-jobs';
  const row = (jobId: string, bytes: number, more: object = {}) => ({
    userId: 'user',
    jobId,
    text: 'x'.repeat(bytes),
    ...more,
  });
  const key = (jobId: string) => ({ userId: 'user', jobId });
  const tables = new MemoryTables({ [TableName]: JOBS_KEY });
  const memory = new MemoryDynamo(tables);
  const put = (jobId: string, bytes: number) =>
    Promise.all(
      [documents, memory].map((client) =>
        client.send(new PutCommand({ TableName, Item: row(jobId, bytes) })),
      ),
    );
  const Keys = (...ids: string[]) => ids.map(key);
  const inUser = {
    TableName,
    KeyConditionExpression: 'userId = :user',
    ExpressionAttributeValues: { ':user': 'user' },
  };

  /** Sizes as stored: 4 + 6 for the names and values of the user, 5 + n of the job, 4 + n of the text. */
  const requests: [what: string, command: object][] = [
    ['a new row of a kilobyte', new PutCommand({ TableName, Item: row('one', 1_000) })],
    ['a new row of a little more', new PutCommand({ TableName, Item: row('two', 1_002) })],
    ['a big row overwritten by a small one', new PutCommand({ TableName, Item: row('big', 10) })],
    [
      'one attribute of a big row',
      new UpdateCommand({
        TableName,
        Key: key('big-too'),
        UpdateExpression: 'SET mark = :mark',
        ExpressionAttributeValues: { ':mark': true },
      }),
    ],
    [
      'numbers, lists, maps, null and text beyond ASCII',
      new PutCommand({
        TableName,
        Item: row('mixed', 900, {
          list: [1, 'two', { three: 3.25 }, null, false],
          map: { a: -17, b: 1_800_000_000_123, c: ['ä', '€', '😀'] },
          zero: 0,
          hundred: 100,
        }),
      }),
    ],
    ['a big row deleted', new DeleteCommand({ TableName, Key: key('big-three') })],
    ['a missing row deleted', new DeleteCommand({ TableName, Key: key('none') })],
    ['a row read', new GetCommand({ TableName, Key: key('big-too') })],
    ['a row read consistently', new GetCommand({ TableName, Key: key('big-too'), ConsistentRead: true })],
    ['a missing row read', new GetCommand({ TableName, Key: key('none') })],
    [
      'one attribute of a row read',
      new GetCommand({ TableName, Key: key('big-too'), ProjectionExpression: 'jobId', ConsistentRead: true }),
    ],
    ['a page read', new QueryCommand(inUser)],
    ['a page read consistently', new QueryCommand({ ...inUser, ConsistentRead: true })],
    ['a page with a limit', new QueryCommand({ ...inUser, Limit: 2, ConsistentRead: true })],
    [
      'a page of which a filter leaves nothing',
      new QueryCommand({
        ...inUser,
        FilterExpression: '#text = :text',
        ExpressionAttributeNames: { '#text': 'text' },
        ExpressionAttributeValues: { ':user': 'user', ':text': 'nothing' },
      }),
    ],
    [
      'a scan with a filter',
      new ScanCommand({
        TableName,
        FilterExpression: 'attribute_exists(#none)',
        ExpressionAttributeNames: { '#none': 'none' },
      }),
    ],
    [
      'a batch of rows, missing ones too',
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: Keys('big-too', 'none', 'two') } } }),
    ],
    [
      'a batch of rows read consistently',
      new BatchGetCommand({
        RequestItems: { [TableName]: { Keys: Keys('big-too', 'none', 'two'), ConsistentRead: true } },
      }),
    ],
    [
      'a batch of rows written, one over a bigger one',
      new BatchWriteCommand({
        RequestItems: {
          [TableName]: ['new', 'big-too'].map((jobId) => ({ PutRequest: { Item: row(jobId, 1_500) } })),
        },
      }),
    ],
  ];

  test.each(requests)('%s', async (_, command) => {
    for (const jobId of ['big', 'big-too', 'big-three']) await put(jobId, 5_000);
    const before = tables.units(TableName);
    await memory.send(command as never);
    const { readUnits, writeUnits } = tables.units(TableName);
    Object.assign((command as { input: object }).input, { ReturnConsumedCapacity: 'TOTAL' });
    const { ConsumedCapacity } = (await documents.send(command as never)) as {
      ConsumedCapacity: Capacity | Capacity[];
    };
    const consumed = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    expect(consumed).toBeGreaterThan(0);
    expect(readUnits - before.readUnits + writeUnits - before.writeUnits).toBe(consumed);
  });

  it('is that of the row that is there where a condition fails', async () => {
    await put('big', 5_000);
    const before = tables.units(TableName);
    const again = new PutCommand({
      TableName,
      Item: row('big', 10),
      ConditionExpression: 'attribute_not_exists(jobId)',
    });
    await expect(memory.send(again)).rejects.toThrow('conditional');
    const { readUnits, writeUnits } = before;
    expect(tables.units(TableName)).toEqual({ readUnits, writeUnits: writeUnits + 5 });
  });
});

interface Capacity {
  CapacityUnits: number;
}
