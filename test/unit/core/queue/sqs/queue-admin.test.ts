import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

import { sqsQueueAdmin } from '../../../../../lambdas/core/queue/sqs/queue-admin';
import { FakeClock } from '../../../../support/fake-clock';
import { FakeRandom } from '../../../../support/fake-random';
import { mockedClient } from '../../../../support/mocked-client';

const URL = 'https://sqs.test/111122223333/medium';
const DEAD_URL = 'https://sqs.test/111122223333/medium-dead';
const RedrivePolicy = JSON.stringify({
  deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:111122223333:medium-dead',
});

describe('sqsQueueAdmin', () => {
  const sqs = mockedClient(SQSClient);
  const clock = new FakeClock();
  const admin = () =>
    sqsQueueAdmin({ sqs: new SQSClient({}), clock, random: new FakeRandom(1) }, { 'default/medium': URL });
  let dead: string[];
  let rejects: string[];

  beforeEach(() => {
    sqs.reset();
    dead = [];
    rejects = [];
    sqs.on(GetQueueAttributesCommand, { QueueUrl: URL }).resolves({
      Attributes: {
        ApproximateNumberOfMessages: '5',
        ApproximateNumberOfMessagesNotVisible: '2',
        RedrivePolicy,
      },
    });
    sqs.on(GetQueueAttributesCommand, { QueueUrl: DEAD_URL }).resolves({
      Attributes: { ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '1' },
    });
    sqs.on(ReceiveMessageCommand).callsFake(({ MaxNumberOfMessages }: { MaxNumberOfMessages: number }) => ({
      Messages: dead
        .splice(0, MaxNumberOfMessages)
        .map((Body) => ({ Body, ReceiptHandle: `handle-${Body}`, Attributes: { MessageGroupId: 'user' } })),
    }));
    sqs
      .on(SendMessageBatchCommand)
      .callsFake(({ Entries }: { Entries: { Id: string; MessageBody: string }[] }) => ({
        Successful: Entries.filter(({ MessageBody }) => !rejects.includes(MessageBody)),
        Failed: Entries.filter(({ MessageBody }) => rejects.includes(MessageBody)).map(({ Id }) => ({
          Id,
          Code: 'TooLong',
          SenderFault: true,
        })),
      }));
    sqs.on(DeleteMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  });

  const deleted = () =>
    sqs
      .commandCalls(DeleteMessageBatchCommand)
      .flatMap(({ args }) => args[0].input.Entries!.map(({ ReceiptHandle }) => ReceiptHandle));

  it('counts a queue and its dead letters', async () => {
    expect(await admin().status()).toEqual([{ name: 'default/medium', waiting: 5, inFlight: 2, dead: 4 }]);
  });

  it('moves at most as many as asked, with the group of each', async () => {
    dead = Array.from({ length: 30 }, (_, index) => `m${index}`);
    expect(await clock.settle(admin().redrive('default/medium', 23))).toBe(23);
    expect(dead).toHaveLength(7);
    expect(deleted()).toHaveLength(23);
    const [first] = sqs.commandCalls(SendMessageBatchCommand);
    expect(first!.args[0].input).toMatchObject({ QueueUrl: URL });
    expect(first!.args[0].input.Entries![0]).toMatchObject({ MessageBody: 'm0', MessageGroupId: 'user' });
  });

  it('ends where there are no more', async () => {
    dead = ['a', 'b'];
    expect(await clock.settle(admin().redrive('default/medium', 100))).toBe(2);
  });

  it('leaves what the queue rejects among the dead letters', async () => {
    dead = ['a', 'b', 'c'];
    rejects = ['b'];
    expect(await clock.settle(admin().redrive('default/medium', 3))).toBe(2);
    expect(deleted()).toEqual(['handle-a', 'handle-c']);
    dead = ['b'];
    await expect(clock.settle(admin().redrive('default/medium', 3))).rejects.toThrow('SQS rejected');
  });
});
