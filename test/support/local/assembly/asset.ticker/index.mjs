import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

const dynamo = new DynamoDBClient();

export const handler = async (event) => {
  await dynamo.send(
    new PutItemCommand({
      TableName: process.env.TABLE,
      Item: { pk: { S: 'ticks' }, sk: { S: `${Date.now()}` }, row: { S: JSON.stringify(event) } },
    }),
  );
};
