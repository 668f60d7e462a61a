import { expireTable } from '../../../../../local/services/dynamodb/expiry';

test('deletes what every page says is over, under the condition that it still is', async () => {
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
  const rests: number[] = [];
  for await (const restMs of expireTable('T', ['pk'], 'ttl', call, { nowMs: () => 5_999 }))
    rests.push(restMs);

  expect(rests).toHaveLength(2);
  expect(calls.map(([action]) => action)).toEqual(['Scan', 'DeleteItem', 'Scan', 'DeleteItem']);
  expect(calls[0]?.[1]).toMatchObject({
    FilterExpression: '#1 < :now',
    ExpressionAttributeValues: { ':now': { N: '5' } },
  });
  expect(calls[1]?.[1]).toMatchObject({ Key: { pk: { S: 'a' } }, ConditionExpression: '#1 < :now' });
  expect(calls[2]?.[1]).toMatchObject({ ExclusiveStartKey: { pk: { S: 'a' } } });
});
