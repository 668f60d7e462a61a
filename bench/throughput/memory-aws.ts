import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { nativeRow } from '../../lambdas/core/store/dynamo/native-attributes';
import type { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { attributesOf } from '../../test/support/dynamo/values';

type Json = Record<string, unknown>;
type Attributes = Parameters<typeof nativeRow>[0];
type Item = Json;

const DYNAMODB = 'DynamoDB_20120810.';
const SQS = 'AmazonSQS.';

export interface MemoryAws {
  url: string;
  /** Calls so far, by operation. */
  calls: Map<string, number>;
  /** Bodies of the messages sent so far. */
  sent: string[];
  close(): void;
}

/**
 * All AWS services that a stage calls: DynamoDB over tables in memory, an SQS that only accepts messages, an
 * event bus and a secret. It answers as fast as one process can, so that the benchmark measures the stage.
 */
export async function startMemoryAws(tables: MemoryTables): Promise<MemoryAws> {
  const calls = new Map<string, number>();
  const sent: string[] = [];

  const answer = (target: string, input: Json): Json => {
    if (target.startsWith(DYNAMODB)) return dynamodb(tables, target.slice(DYNAMODB.length), input);
    if (target === `${SQS}SendMessageBatch`) return accept(input, sent);
    if (target === `${SQS}GetQueueAttributes`) return { Attributes: {} };
    if (target === 'AWSEvents.PutEvents') return putEvents(input);
    if (target === 'secretsmanager.GetSecretValue') return { ARN: 'secret', SecretString: 's'.repeat(64) };
    throw Object.assign(new Error(`no ${target} here`), { name: 'UnknownOperationException' });
  };

  const server = createServer((request, response) => {
    const target = String(request.headers['x-amz-target']);
    calls.set(target, (calls.get(target) ?? 0) + 1);
    readBody(request, (body) => {
      let status = 200;
      let reply: Json;
      try {
        reply = answer(target, JSON.parse(body) as Json);
      } catch (error) {
        const { name, message, Item } = error as Error & { Item?: unknown };
        status = 400;
        reply = { __type: name, message, Item };
      }
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(reply));
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    sent,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks).toString()));
}

/**
 * Requests and answers are in DynamoDB's own notation. The tables have plain values, as the document client.
 */
function dynamodb(tables: MemoryTables, operation: string, input: Json): Json {
  const command = `${operation.replace(/Item$/, '')}Command`;
  return toNative(tables.apply(command, fromNative(input), () => false));
}

const NATIVE = ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues'];

function fromNative(input: Json): Json {
  const plain: Json = { ...input };
  for (const name of NATIVE) if (input[name]) plain[name] = nativeRow(input[name] as Attributes);
  if (input.RequestItems) {
    plain.RequestItems = mapValues(input.RequestItems as Json, (requests) =>
      Array.isArray(requests)
        ? requests.map(({ PutRequest }: { PutRequest: { Item: Attributes } }) => ({
            PutRequest: { Item: nativeRow(PutRequest.Item) },
          }))
        : { ...(requests as Json), Keys: (requests as { Keys: Attributes[] }).Keys.map(nativeRow) },
    );
  }
  return plain;
}

function toNative(output: Json): Json {
  const native: Json = { ...output };
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey'])
    if (output[name]) native[name] = attributesOf(output[name] as Item);
  if (output.Items) native.Items = (output.Items as Item[]).map(attributesOf);
  if (output.Responses)
    native.Responses = mapValues(output.Responses as Json, (items) => (items as Item[]).map(attributesOf));
  return native;
}

const mapValues = (record: Json, to: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

const putEvents = ({ Entries }: Json): Json => ({
  FailedEntryCount: 0,
  Entries: (Entries as unknown[]).map(() => ({ EventId: randomUUID() })),
});

/** The SDK checks the digest of each body. */
function accept({ Entries }: Json, sent: string[]): Json {
  const Successful = (Entries as { Id: string; MessageBody: string }[]).map(({ Id, MessageBody }) => {
    sent.push(MessageBody);
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    return { Id, MessageId: randomUUID(), MD5OfMessageBody };
  });
  return { Successful, Failed: [] };
}
