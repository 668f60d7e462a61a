import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AwsService } from '../../../../../local/services/aws-call';
import { type RowWrite, startDynamoDb } from '../../../../../local/services/dynamodb/dynamodb';
import type { IsAtEdge } from '../../../../../local/services/edge';
import type { TableSpec } from '../../../../../local/template/stack';

const AWS = { region: 'us-east-1', accountId: '000000000000' };
const noteSpec = (name: string, sort = 'sk'): TableSpec => ({
  logicalId: 'Notes',
  name,
  arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`,
  properties: {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: sort, AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  },
});

let folder: string;
let written: RowWrite[];
const opened: AwsService[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterjack-tables-'));
  written = [];
});
afterEach(async () => {
  for (const service of opened.splice(0)) await service.stop();
  rmSync(folder, { recursive: true });
});

async function open(spec = noteSpec('notes'), isKept = true, isAtEdge?: IsAtEdge) {
  const onFailure = (error: Error): never => {
    throw error;
  };
  const observed = {
    err: onFailure as never,
    onFailure,
    onRowWrite: (write: RowWrite) => written.push(write),
  };
  const service = await startDynamoDb([spec], {
    ...AWS,
    storePath: isKept ? folder : undefined,
    isAtEdge,
    clock: { nowMs: () => 0 },
    ...observed,
  });
  opened.push(service);
  const send = async (action: string, input: object) => {
    const body = JSON.stringify(input);
    const caller = {
      accessKeyId: 'k',
      functionLogicalId: undefined,
      functionName: undefined,
      roleArn: undefined,
    };
    const signal = new AbortController().signal;
    const reply = await service.call({ caller, action, path: '/', headers: {}, body, signal });
    return { status: reply.status, ...(JSON.parse(String(reply.body)) as Record<string, any>) };
  };
  const stop = async () => {
    opened.splice(opened.indexOf(service), 1);
    await service.stop();
  };
  return { send, stop, flushed: () => service.flushed() };
}

const note = (sk: string, text: string) => ({ pk: { S: 'p' }, sk: { S: sk }, text: { S: text } });
const key = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } });

test('rows are there after a restart, and so are deletions', async () => {
  const { send, stop } = await open();
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  await send('PutItem', { TableName: 'notes', Item: note('2', 'two') });
  await send('DeleteItem', { TableName: 'notes', Key: key('1') });
  await stop();
  const again = await open();
  expect(await again.send('Scan', { TableName: 'notes' })).toMatchObject({ Items: [note('2', 'two')] });
  expect(written).toHaveLength(3); // nothing is reported again
});

test('no answer before the change is in the file, and none to a reader either', async () => {
  const { send } = await open();
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  const size = () => statSync(join(folder, 'journal-0')).size;
  for (let index = 0; index < 20; index++) {
    const before = size();
    const put = send('PutItem', { TableName: 'notes', Item: note(`${index}`, 'text') });
    const get = send('GetItem', { TableName: 'notes', Key: key(`${index}`) });
    const first = await Promise.race([put, get]);
    expect(first.status).toBe(200);
    expect(size()).toBeGreaterThan(before);
    await Promise.all([put, get]);
  }
});

test('a function at the edge has its answer before the file, and who passes it on can wait', async () => {
  const { send, flushed } = await open(noteSpec('notes'), true, () => true);
  const size = () => statSync(join(folder, 'journal-0')).size;
  const before = size();
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  expect(await send('GetItem', { TableName: 'notes', Key: key('1') })).toMatchObject({
    Item: note('1', 'one'),
  });
  expect(size()).toBe(before);
  await flushed();
  expect(size()).toBeGreaterThan(before);
});

test('without a folder, nothing is kept', async () => {
  const { send, stop } = await open(noteSpec('notes'), false);
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  await stop();
  expect(readdirSync(folder)).toEqual([]);
});

test('each write is reported with the row after it, before its writer has the answer', async () => {
  const { send } = await open();
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  expect(written).toEqual([{ table: 'Notes', key: key('1'), row: note('1', 'one') }]);
  const failing = { ConditionExpression: 'attribute_not_exists(pk)' };
  await send('PutItem', { TableName: 'notes', Item: note('1', 'no'), ...failing });
  const PutRequest = { Item: note('2', 'two') };
  await send('BatchWriteItem', {
    RequestItems: { notes: [{ PutRequest }, { DeleteRequest: { Key: key('1') } }] },
  });
  expect(written.slice(1)).toEqual([
    { table: 'Notes', key: key('2'), row: note('2', 'two') },
    { table: 'Notes', key: key('1'), row: undefined },
  ]);
});

test('refusals are those of the API', async () => {
  const { send } = await open();
  await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
  const failing = {
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  expect(await send('PutItem', { TableName: 'notes', Item: note('1', 'no'), ...failing })).toEqual({
    status: 400,
    __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
    message: 'The conditional request failed',
    Item: note('1', 'one'),
  });
  expect(await send('GetItem', { TableName: 'others', Key: key('1') })).toMatchObject({
    __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
  });
  expect(await send('Scan', { TableName: 'notes', TotalSegments: 4, Segment: 1 })).toMatchObject({
    __type: 'com.amazon.coral.validate#ValidationException',
    message: 'The local run: parameter TotalSegments is not supported',
  });
  expect(await send('TransactWriteItems', { TransactItems: [] })).toMatchObject({
    message: 'The local run: TransactWriteItems is not supported',
  });
});

test('tables are listed and described, by name and by ARN', async () => {
  const { send } = await open();
  expect(await send('ListTables', {})).toMatchObject({ TableNames: ['notes'] });
  for (const TableName of ['notes', noteSpec('notes').arn])
    expect(await send('DescribeTable', { TableName })).toMatchObject({
      Table: { TableName: 'notes', TableStatus: 'ACTIVE', KeySchema: noteSpec('notes').properties.KeySchema },
    });
  expect(await send('DescribeTable', { TableName: 'others' })).toMatchObject({ status: 400 });
});

describe('rows that do not fit the template', () => {
  beforeEach(async () => {
    const { send, stop } = await open();
    await send('PutItem', { TableName: 'notes', Item: note('1', 'one') });
    await stop();
  });

  test('of another table are refused, and stay', async () => {
    await expect(open(noteSpec('renamed'))).rejects.toThrow(
      /notes, which is not a table of the template; use another --data/,
    );
    const { send } = await open();
    expect(await send('Scan', { TableName: 'notes' })).toMatchObject({ Count: 1 });
  });

  test('with other keys are refused', async () => {
    await expect(open(noteSpec('notes', 'other'))).rejects.toThrow(/different keys.*use another --data/);
  });
});

test('tables that an earlier version has written are refused, and stay', async () => {
  for (const name of ['CURRENT', 'MANIFEST-000002', '000005.ldb']) writeFileSync(join(folder, name), 'x');
  await expect(open()).rejects.toThrow(/earlier version/);
  expect(readdirSync(folder).sort()).toEqual(['000005.ldb', 'CURRENT', 'MANIFEST-000002']);
});
