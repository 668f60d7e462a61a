import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PutCommand } from '../../../../lambdas/core/store/dynamo/commands';

import {
  heartbeatClient,
  documentsOf,
  dynamoClient,
  sqsClient,
} from '../../../../lambdas/core/platform/clients';

describe('clients', () => {
  let server: Server;
  let endpoint: string;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(500).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['heartbeats', heartbeatClient, 2_000],
    ['everything else in DynamoDB', dynamoClient, 3_000],
    ['SQS', sqsClient, 5_000],
  ])('give up a request for %s that gets no answer, rather than warn', async (_, make, requestTimeout) => {
    const client = make({ endpoint });
    const handler = client.config.requestHandler as unknown as {
      configProvider: Promise<Record<string, unknown>>;
    };
    expect(await handler.configProvider).toMatchObject({
      connectionTimeout: 1_000,
      requestTimeout,
      throwOnRequestTimeout: true,
    });
    client.destroy();
  });

  it('sends a heartbeat once, whatever the answer', async () => {
    const client = heartbeatClient({ endpoint });
    requests = 0;
    const heartbeat = documentsOf(client).send(new PutCommand({ TableName: 'x', Item: { a: 'b' } }));
    await expect(heartbeat).rejects.toMatchObject({ $metadata: { httpStatusCode: 500, attempts: 1 } });
    expect(requests).toBe(1);
    client.destroy();
  });
});
