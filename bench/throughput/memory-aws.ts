import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ATTRIBUTES, attributesOf } from '../../local/services/dynamodb/engine/attributes';
import type { Refusal } from '../../local/services/dynamodb/engine/errors';
import type { Tables } from '../../local/services/dynamodb/engine/tables';

type Json = Record<string, unknown>;

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
export async function startMemoryAws(tables: Tables): Promise<MemoryAws> {
  const calls = new Map<string, number>();
  const sent: string[] = [];

  const answer = (target: string, input: Json): Json => {
    if (target.startsWith(DYNAMODB))
      return tables.request(target.slice(DYNAMODB.length), input, { notation: ATTRIBUTES });
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
        const { name, message, item } = error as Error & Pick<Refusal, 'item'>;
        status = 400;
        reply = { __type: name, message, Item: item && attributesOf(item) };
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
