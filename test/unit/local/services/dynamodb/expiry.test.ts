import { expireTable } from '../../../../../local/services/dynamodb/expiry';

test('deletes the expired items of every page, on condition that they are still expired', async () => {
  const calls: [string, object][] = [];
  const pages = [
    { Items: [{ pk: { S: 'a' } }], LastEvaluatedKey: { pk: { S: 'a' } } },
    { Items: [{ pk: { S: 'renewed' } }] },
  ];
  const call = async (action: string, input: object): Promise<Record<string, unknown>> => {
    calls.push([action, input]);
    if (action === 'Scan') return pages[calls.filter(([one]) => one === 'Scan').length - 1] ?? {};
    if (JSON.stringify(input).includes('renewed'))
      throw Object.assign(new Error('no'), { name: 'ConditionalCheckFailedException' });
    return {};
  };
  const pauses: number[] = [];
  for await (const pauseMs of expireTable('T', ['pk'], 'ttl', call, { nowMs: () => 5_999 }))
    pauses.push(pauseMs);

  expect(pauses).toHaveLength(2);
  expect(calls.map(([action]) => action)).toEqual(['Scan', 'DeleteItem', 'Scan', 'DeleteItem']);
  expect(calls[0]?.[1]).toMatchObject({
    FilterExpression: '#1 < :now',
    ExpressionAttributeValues: { ':now': { N: '5' } },
  });
  expect(calls[1]?.[1]).toMatchObject({ Key: { pk: { S: 'a' } }, ConditionExpression: '#1 < :now' });
  expect(calls[2]?.[1]).toMatchObject({ ExclusiveStartKey: { pk: { S: 'a' } } });
});
