import type { AwsReply } from '../aws-call';
import type { FauxqsStore } from './fauxqs-store';

/** fauxqs as a parser and validator of SQS requests, called in process. */
export interface FauxqsProtocol {
  call(action: string, body: object): Promise<AwsReply>;
  stop(): Promise<void>;
}

export async function startProtocol(store: FauxqsStore, region: string): Promise<FauxqsProtocol> {
  const { buildApp } = await import('fauxqs');
  type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
  const stores = { sqsStore: store } as unknown as Stores;
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  await app.ready();
  return {
    async call(action, body) {
      const reply = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
        payload: JSON.stringify(body),
      });
      const errorHeader = reply.headers['x-amzn-query-error'];
      return {
        status: reply.statusCode,
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          ...(errorHeader !== undefined && { 'x-amzn-query-error': String(errorHeader) }),
        },
        body: reply.rawPayload,
      };
    },
    async stop() {
      await app.close();
    },
  };
}
