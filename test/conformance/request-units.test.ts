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

import { meteredDocuments } from '../../bench/cost/metered-dynamo';
import { EXECUTIONS_KEY, JOBS_KEY, SCHEDULE_KEY } from '../../lambdas/core/contracts/tables';
import type { DocumentClient } from '../../lambdas/core/store/dynamo/access';
import type { DynamoBackend } from '../support/dynamo/backend';
import { startDynalite } from '../support/dynamo/dynalite';
import { openSdkBackend } from '../support/dynamo/sdk-backend';
import { Usage } from '../../local/services/dynamodb/engine/usage';

/** The size rules that costs are counted by, held against what dynalite says of the same requests. */
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
  const put = (jobId: string, bytes: number, more?: object) =>
    documents.send(new PutCommand({ TableName, Item: row(jobId, bytes, more) }));
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
    let consumed = 0;
    const asking = {
      send: async (sent: { input: object }, options?: object) => {
        if (sent !== command) return documents.send(sent as never, options);
        Object.assign(sent.input, { ReturnConsumedCapacity: 'TOTAL' });
        const answer = await documents.send(sent as never, options);
        const { ConsumedCapacity } = answer as { ConsumedCapacity: Capacity | Capacity[] };
        for (const { CapacityUnits } of [ConsumedCapacity].flat()) consumed += CapacityUnits;
        return answer;
      },
    } as unknown as DocumentClient;
    const usage = new Usage();
    const keys = {
      'units-jobs': JOBS_KEY,
      'units-executions': EXECUTIONS_KEY,
      'units-schedule': SCHEDULE_KEY,
    };
    await meteredDocuments(asking, keys, usage).send(command as never);
    const { readUnits, writeUnits } = usage.of(TableName);
    expect(consumed).toBeGreaterThan(0);
    expect(readUnits + writeUnits).toBe(consumed);
  });

  it('is that of the row that is there where a condition fails', async () => {
    await put('big', 5_000);
    const usage = new Usage();
    const metered = meteredDocuments(documents, { [TableName]: JOBS_KEY }, usage);
    const again = new PutCommand({
      TableName,
      Item: row('big', 10),
      ConditionExpression: 'attribute_not_exists(jobId)',
    });
    await expect(metered.send(again)).rejects.toThrow('conditional');
    expect(usage.of(TableName)).toEqual({ readUnits: 0, writeUnits: 5 });
  });
});

interface Capacity {
  CapacityUnits: number;
}
