import { BatchGetItemCommand, DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

const { TABLE, QUEUE_URL, DEAD_LETTER_URL, SECRET_ARN, API_URL } = process.env;
const dynamo = new DynamoDBClient();
const sqs = new SQSClient();
const secrets = new SecretsManagerClient();

/** Calls that the role of the function does not permit. */
const denied = {
  BatchGetItem: () =>
    dynamo.send(
      new BatchGetItemCommand({ RequestItems: { [TABLE]: { Keys: [{ pk: { S: 'a' }, sk: { S: 'b' } }] } } }),
    ),
  QueryIndex: () => dynamo.send(new QueryCommand({ TableName: TABLE, IndexName: 'byName' })),
  ReceiveMessage: () => sqs.send(new ReceiveMessageCommand({ QueueUrl: QUEUE_URL })),
  DeleteMessage: () => sqs.send(new DeleteMessageCommand({ QueueUrl: DEAD_LETTER_URL, ReceiptHandle: 'x' })),
  PurgeQueue: () => sqs.send(new PurgeQueueCommand({ QueueUrl: QUEUE_URL })),
  GetSecretValue: () => secrets.send(new GetSecretValueCommand({ SecretId: 'another' })),
};

const json = (body, statusCode = 200) => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const routes = {
  'GET /v1/health': async () => json({ status: 'ok' }),
  'ANY /echo/{name}': async (event) => json({ event, apiUrl: API_URL, env: Object.keys(process.env) }),
  'GET /caller': async (event) => json(event.requestContext.authorizer),
  /** Fails as the header `how` says: by an exit of the process, by no response, or by an error. */
  'POST /crash': async ({ headers: { how } }) => {
    if (how === 'exit') process.exit(3);
    if (how === 'hang') return new Promise((resolve) => setTimeout(resolve, 60_000));
    throw new Error('requested');
  },
  'POST /denied/{call}': async ({ pathParameters: { call } }) => {
    const error = await denied[call]().then(
      () => undefined,
      (thrown) => thrown,
    );
    return json({ name: error?.name, message: error?.message, status: error?.$metadata.httpStatusCode });
  },
  /** Sends messages. Body: `[{ body, delaySec }]`. */
  'POST /send': async (event) => {
    const { Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: QUEUE_URL,
        Entries: JSON.parse(event.body).map(({ body, delaySec }, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ ...body, sentAtMs: Date.now(), delaySec }),
          DelaySeconds: delaySec,
        })),
      }),
    );
    return json({ failed: Failed.map(({ Code }) => Code) }, 202);
  },
  'GET /rows/{pk}': async ({ pathParameters: { pk } }) => {
    if (pk === 'dead-letters') {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: DEAD_LETTER_URL, VisibilityTimeout: 0 }),
      );
      return json(Messages.map(({ Body }) => JSON.parse(Body)));
    }
    if (pk === 'secret') {
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: SECRET_ARN }));
      return json([SecretString]);
    }
    const { Items } = await dynamo.send(
      new QueryCommand({
        TableName: TABLE,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
      }),
    );
    return json(Items.map(({ row }) => JSON.parse(row.S)));
  },
  /** Writes the body as a row, under its `id`. */
  'POST /rows/{pk}': async ({ pathParameters: { pk }, body }) => {
    const Item = { pk: { S: pk }, sk: { S: JSON.parse(body).id }, row: { S: body } };
    await dynamo.send(new PutItemCommand({ TableName: TABLE, Item }));
    return json({}, 201);
  },
};

export const handler = async (event) => routes[event.routeKey](event);
