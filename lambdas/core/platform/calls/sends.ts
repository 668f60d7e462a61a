import { createHash } from 'node:crypto';

import {
  SendMessageBatchCommand,
  type SendMessageBatchCommandInput,
  type SendMessageBatchCommandOutput,
  type SQSClient,
} from '@aws-sdk/client-sqs';

import { type CallOptions, serviceCalls } from './service-calls';

const SQS = { signingName: 'sqs', target: 'AmazonSQS' };

/** A client whose batches of messages take the cheap path. Its other requests are rare. */
export function withCheapSends<Client extends SQSClient>(client: Client): Client {
  const call = serviceCalls(client, SQS);
  const bySdk = client.send.bind(client) as (...args: unknown[]) => unknown;
  client.send = ((...args: unknown[]) => {
    const [command, options] = args;
    if (!(command instanceof SendMessageBatchCommand)) return bySdk(...args);
    return sendBatch(command.input, options as CallOptions | undefined);
  }) as Client['send'];

  async function sendBatch(input: SendMessageBatchCommandInput, options?: CallOptions) {
    const output = await call('SendMessageBatch', JSON.stringify(input), options);
    checkDigests(input, output as unknown as SendMessageBatchCommandOutput);
    return output;
  }
  return client;
}

/** SQS answers with the digest of each body that it has taken. */
function checkDigests(
  { Entries = [] }: SendMessageBatchCommandInput,
  { Successful = [] }: SendMessageBatchCommandOutput,
): void {
  const bodies = new Map(Entries.map(({ Id, MessageBody }) => [Id, MessageBody ?? '']));
  for (const { Id, MD5OfMessageBody } of Successful) {
    const body = bodies.get(Id);
    if (body === undefined || MD5OfMessageBody === createHash('md5').update(body).digest('hex')) continue;
    throw new Error(`SQS took another text than message ${Id} of the batch`);
  }
}
