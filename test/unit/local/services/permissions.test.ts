import { dynamoDbPermissions, type PermissionInput } from '../../../../local/services/dynamodb/permissions';
import { sqsPermissions } from '../../../../local/services/sqs/permissions';

const AWS = { region: 'us-east-1', accountId: '000000000000' };
const TABLES = 'arn:aws:dynamodb:us-east-1:000000000000:table';

describe('DynamoDB', () => {
  test.each([
    ['GetItem', { TableName: 'Jobs' }, ['dynamodb:GetItem Jobs']],
    ['Query', { TableName: 'Jobs', IndexName: 'byUser' }, ['dynamodb:Query Jobs/index/byUser']],
    ['Query', { TableName: `${TABLES}/Jobs` }, ['dynamodb:Query Jobs']],
    [
      'BatchGetItem',
      { RequestItems: { Jobs: {}, Executions: {} } },
      ['dynamodb:BatchGetItem Jobs', 'dynamodb:BatchGetItem Executions'],
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'Jobs' } }, { ConditionCheck: { TableName: 'Executions' } }] },
      ['dynamodb:PutItem Jobs', 'dynamodb:ConditionCheckItem Executions'],
    ],
    ['DeleteTable', { TableName: 'Jobs' }, []],
  ])('%s needs permission for every table that it accesses', (action, input, needs) => {
    const found = dynamoDbPermissions(action, input as PermissionInput, AWS, () => 'userId');
    expect(
      found.map(({ action: name, resource }) => `${name} ${resource.replace(`${TABLES}/`, '')}`),
    ).toEqual(needs);
  });

  test.each([
    ['GetItem', { TableName: 'Jobs', Key: { userId: { S: 'a' }, jobId: { S: 'b' } } }, 'a'],
    ['PutItem', { TableName: 'Jobs', Item: { userId: { S: 'a' } } }, 'a'],
    ['Query', { TableName: 'Jobs' }, undefined],
    ['GetItem', { TableName: 'Other', Key: { userId: { S: 'a' } } }, undefined],
  ])('%s of one row has its partition key for conditions', (action, input, key) => {
    const partitionOf = (table: string) => (table === 'Jobs' ? 'userId' : undefined);
    const [found] = dynamoDbPermissions(action, input, AWS, partitionOf);
    expect(found?.context?.['dynamodb:leadingkeys']).toBe(key);
  });
});

describe('SQS', () => {
  const QueueUrl = 'http://127.0.0.1:1234/000000000000/Work';
  test.each([
    ['SendMessage', 'sqs:SendMessage'],
    ['SendMessageBatch', 'sqs:SendMessage'],
    ['ChangeMessageVisibilityBatch', 'sqs:ChangeMessageVisibility'],
  ])('%s needs %s', (action, needed) => {
    expect(sqsPermissions(action, JSON.stringify({ QueueUrl }), AWS)).toEqual([
      { action: needed, resource: 'arn:aws:sqs:us-east-1:000000000000:Work' },
    ]);
  });

  test('the permissions of an unlisted operation are unknown', () => {
    expect(sqsPermissions('TagQueue', JSON.stringify({ QueueUrl }), AWS)).toEqual([]);
  });
});
