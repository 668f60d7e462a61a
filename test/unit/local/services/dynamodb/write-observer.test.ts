import { tapped, type RowImage, type RowWrite } from '../../../../../local/services/dynamodb/write-observer';
import type { TableSpec } from '../../../../../local/template/stack';

const SPEC = {
  logicalId: 'Notes',
  name: 'notes',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/notes',
  properties: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] },
} as TableSpec;
const note = (id: string, text: string): RowImage => ({ id: { S: id }, text: { S: text } });
const key = (id: string): RowImage => ({ id: { S: id } });

/** A table that takes every write at its word, but refuses those of `refused`; each answer comes a turn later. */
function table() {
  const rows = new Map<string, RowImage>();
  const written: RowWrite[] = [];
  const asked: string[] = [];
  const send = tapped(
    async (action, body) => {
      const input = JSON.parse(body) as Record<string, any>;
      asked.push(action);
      await Promise.resolve();
      const idOf = (image: any): string => image.id.S;
      const answer = (reply: object) => ({ id: 0, status: 200, headers: {}, body: JSON.stringify(reply) });
      if (input.Item?.text.S === 'refused') return { ...answer({}), status: 400 };
      if (action === 'GetItem') return answer({ Item: rows.get(idOf(input.Key)) });
      if (action === 'PutItem') rows.set(idOf(input.Item), input.Item);
      if (action === 'DeleteItem') rows.delete(idOf(input.Key));
      if (action === 'BatchWriteItem')
        for (const { PutRequest } of input.RequestItems.notes)
          rows.set(idOf(PutRequest.Item), PutRequest.Item);
      return answer({});
    },
    [SPEC],
    (write) => written.push(write),
  );
  const ask = (action: string, input: object) => send(action, JSON.stringify(input));
  return { ask, written, asked };
}

test('tells of each write in order, with the row as it stands after it', async () => {
  const { ask, written } = table();
  await Promise.all([
    ask('PutItem', { TableName: 'notes', Item: note('a', 'one') }),
    ask('PutItem', { TableName: SPEC.arn, Item: note('a', 'two') }),
    ask('BatchWriteItem', {
      RequestItems: {
        notes: [{ PutRequest: { Item: note('b', 'x') } }, { PutRequest: { Item: note('c', 'y') } }],
      },
    }),
    ask('DeleteItem', { TableName: 'notes', Key: key('a') }),
  ]);
  expect(written).toEqual([
    { table: 'Notes', key: key('a'), row: note('a', 'one') },
    { table: 'Notes', key: key('a'), row: note('a', 'two') },
    { table: 'Notes', key: key('b'), row: note('b', 'x') },
    { table: 'Notes', key: key('c'), row: note('c', 'y') },
    { table: 'Notes', key: key('a'), row: undefined },
  ]);
});

test('a writer has its answer only when its write was told of, and reads wait until then', async () => {
  const { ask, written, asked } = table();
  const put = ask('PutItem', { TableName: 'notes', Item: note('a', 'one') });
  const get = ask('GetItem', { TableName: 'notes', Key: key('a') });
  await put;
  expect(written).toHaveLength(1);
  await get;
  expect(asked).toEqual(['PutItem', 'GetItem', 'GetItem']);
  expect(written).toHaveLength(1);
});

test('a refused write is answered and not told of, and those behind it go on', async () => {
  const { ask, written } = table();
  const [refused] = await Promise.all([
    ask('PutItem', { TableName: 'notes', Item: note('a', 'refused') }),
    ask('PutItem', { TableName: 'notes', Item: note('b', 'one') }),
  ]);
  expect(refused.status).toBe(400);
  expect(written.map((write) => write.key)).toEqual([key('b')]);
});
