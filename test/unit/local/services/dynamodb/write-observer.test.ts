import {
  observeWrites,
  type RowImage,
  type RowWrite,
} from '../../../../../local/services/dynamodb/write-observer';
import type { TableSpec } from '../../../../../local/template/stack';

const SPEC = {
  logicalId: 'Notes',
  name: 'notes',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/notes',
  properties: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] },
} as TableSpec;
const note = (id: string, text: string): RowImage => ({ id: { S: id }, text: { S: text } });
const key = (id: string): RowImage => ({ id: { S: id } });

/** A table that accepts all writes except of the text `rejected`, and responds asynchronously. */
function table() {
  const rows = new Map<string, RowImage>();
  const written: RowWrite[] = [];
  const requested: string[] = [];
  const send = observeWrites(
    async (action, body) => {
      const input = JSON.parse(body) as Record<string, any>;
      requested.push(action);
      await Promise.resolve();
      const idOf = (image: any): string => image.id.S;
      const reply = (output: object) => ({ id: 0, status: 200, headers: {}, body: JSON.stringify(output) });
      if (input.Item?.text.S === 'rejected') return { ...reply({}), status: 400 };
      if (action === 'GetItem') return reply({ Item: rows.get(idOf(input.Key)) });
      if (action === 'PutItem') rows.set(idOf(input.Item), input.Item);
      if (action === 'DeleteItem') rows.delete(idOf(input.Key));
      if (action === 'BatchWriteItem')
        for (const { PutRequest } of input.RequestItems.notes)
          rows.set(idOf(PutRequest.Item), PutRequest.Item);
      return reply({});
    },
    [SPEC],
    (write) => written.push(write),
  );
  const call = (action: string, input: object) => send(action, JSON.stringify(input));
  return { call, written, requested };
}

test('observes all writes in order, each with the row after it', async () => {
  const { call, written } = table();
  await Promise.all([
    call('PutItem', { TableName: 'notes', Item: note('a', 'one') }),
    call('PutItem', { TableName: SPEC.arn, Item: note('a', 'two') }),
    call('BatchWriteItem', {
      RequestItems: {
        notes: [{ PutRequest: { Item: note('b', 'x') } }, { PutRequest: { Item: note('c', 'y') } }],
      },
    }),
    call('DeleteItem', { TableName: 'notes', Key: key('a') }),
  ]);
  expect(written).toEqual([
    { table: 'Notes', key: key('a'), row: note('a', 'one') },
    { table: 'Notes', key: key('a'), row: note('a', 'two') },
    { table: 'Notes', key: key('b'), row: note('b', 'x') },
    { table: 'Notes', key: key('c'), row: note('c', 'y') },
    { table: 'Notes', key: key('a'), row: undefined },
  ]);
});

test('a writer gets its response after the observation, and reads wait until then', async () => {
  const { call, written, requested } = table();
  const put = call('PutItem', { TableName: 'notes', Item: note('a', 'one') });
  const get = call('GetItem', { TableName: 'notes', Key: key('a') });
  await put;
  expect(written).toHaveLength(1);
  await get;
  expect(requested).toEqual(['PutItem', 'GetItem', 'GetItem']);
  expect(written).toHaveLength(1);
});

test('a rejected write is not observed, and later writes continue', async () => {
  const { call, written } = table();
  const [rejected] = await Promise.all([
    call('PutItem', { TableName: 'notes', Item: note('a', 'rejected') }),
    call('PutItem', { TableName: 'notes', Item: note('b', 'one') }),
  ]);
  expect(rejected.status).toBe(400);
  expect(written.map((write) => write.key)).toEqual([key('b')]);
});
