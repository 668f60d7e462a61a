import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';

import { withCheapSends } from '../../../../../lambdas/core/platform/calls/sends';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

function clientWith(output: object) {
  const requests: HttpRequest[] = [];
  const client = new SQSClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AK', secretAccessKey: 'secret' },
    requestHandler: {
      handle: async (request: HttpRequest) => {
        requests.push(request);
        const body = Readable.from([Buffer.from(JSON.stringify(output))]);
        return { response: new HttpResponse({ statusCode: 200, headers: {}, body }) };
      },
    } as never,
  });
  client.middlewareStack.remove('loggerMiddleware');
  return { sqs: withCheapSends(client), requests };
}

const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/1/q';
const batch = new SendMessageBatchCommand({
  QueueUrl,
  Entries: [{ Id: '0', MessageBody: 'größe', DelaySeconds: 3, MessageGroupId: undefined }],
});

test('a batch of messages arrives as it was given', async () => {
  const output = { Successful: [{ Id: '0', MessageId: 'm', MD5OfMessageBody: md5('größe') }], Failed: [] };
  const { sqs, requests } = clientWith(output);
  expect(await sqs.send(batch)).toMatchObject(output);
  const [{ hostname, headers, body } = {} as HttpRequest] = requests;
  expect(hostname).toBe('sqs.eu-central-1.amazonaws.com');
  expect(headers['x-amz-target']).toBe('AmazonSQS.SendMessageBatch');
  expect(JSON.parse(body as string)).toEqual({
    QueueUrl,
    Entries: [{ Id: '0', MessageBody: 'größe', DelaySeconds: 3 }],
  });
});

test('a body that SQS took as another text is an error', async () => {
  const { sqs } = clientWith({ Successful: [{ Id: '0', MD5OfMessageBody: md5('other') }] });
  await expect(sqs.send(batch)).rejects.toThrow('another text than message 0');
});

test('rare requests go through the SDK', async () => {
  const { sqs, requests } = clientWith({ Attributes: { ApproximateNumberOfMessages: '4' } });
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: '4' });
  expect(requests[0]!.headers['amz-sdk-request']).toBeDefined();
});
