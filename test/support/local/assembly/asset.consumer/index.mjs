import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

const dynamo = new DynamoDBClient();

/** Stores each delivery under the `id` of the message. Then fails or hangs as the message's `kind` says. */
export const handler = async (event) => {
  const batchItemFailures = [];
  for (const record of event.Records) {
    const message = JSON.parse(record.body);
    const receiveCount = Number(record.attributes.ApproximateReceiveCount);
    const row = { ...message, receiveCount, atMs: Date.now(), batch: event.Records.length };
    await dynamo.send(
      new PutItemCommand({
        TableName: process.env.TABLE,
        Item: {
          pk: { S: message.id },
          sk: { S: `${receiveCount}` },
          row: { S: JSON.stringify(row) },
        },
      }),
    );
    if (message.kind === 'fail' || (message.kind === 'fail-once' && receiveCount === 1))
      batchItemFailures.push({ itemIdentifier: record.messageId });
    if (message.kind === 'hang-once' && receiveCount === 1)
      await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  return { batchItemFailures };
};
