import {
  type BatchResultErrorEntry,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';

import { LANES } from '../../../../../lambdas/core/contracts/pools';
import { SendError } from '../../../../../lambdas/core/queue/execution-queue';
import { isOverflow, sqsExecutionQueue } from '../../../../../lambdas/core/queue/sqs/sqs-execution-queue';
import { sqsRequestQueue } from '../../../../../lambdas/core/queue/sqs/sqs-request-queue';
import { aMessage } from '../../../../support/factories';
import { FakeRandom } from '../../../../support/fake-random';
import { FakeClock } from '../../../../support/fake-clock';
import { mockedClient } from '../../../../support/mocked-client';

const urlsOf = (pool: string) =>
  Object.fromEntries(LANES.map((lane) => [lane, `https://sqs.test/${pool}-${lane}`]));
const URLS = { default: urlsOf('default'), gpu: urlsOf('gpu') } as Parameters<typeof sqsExecutionQueue>[1];

/** SQS that takes each message unless `refuses` says why not. */
function answering(refuses: (body: string, call: number) => Partial<BatchResultErrorEntry> | undefined) {
  let call = 0;
  return (input: SendMessageBatchCommandInput) => {
    call += 1;
    const entries = input.Entries!.map((entry) => ({ entry, refusal: refuses(entry.MessageBody!, call) }));
    return {
      Successful: entries
        .filter(({ refusal }) => !refusal)
        .map(({ entry }) => ({ Id: entry.Id, MessageId: 'm', MD5OfMessageBody: 'x' })),
      Failed: entries
        .filter(({ refusal }) => refusal)
        .map(({ entry, refusal }) => ({ Id: entry.Id, Code: 'Throttled', SenderFault: false, ...refusal })),
    };
  };
}

describe('sqsExecutionQueue', () => {
  const sqs = mockedClient(SQSClient);
  let clock: FakeClock;
  const queue = () => sqsExecutionQueue({ sqs: new SQSClient(), clock, random: new FakeRandom() }, URLS);
  const sent = () =>
    sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => ({
      url: input.QueueUrl,
      entries: input.Entries!,
    }));
  const outgoing = (count: number, overrides = {}) =>
    Array.from({ length: count }, (_, index) => ({
      message: aMessage({ jobKey: `alice/job-${index}`, ...overrides }),
      delaySec: index,
    }));

  beforeEach(() => {
    sqs.reset();
    clock = new FakeClock();
    sqs.on(SendMessageBatchCommand).callsFake(answering(() => undefined));
  });

  it('sends ten at a time, whole messages with their delays', async () => {
    const messages = outgoing(23);
    await queue().send(messages);
    expect(sent().map(({ entries }) => entries.length)).toEqual([10, 10, 3]);
    const entries = sent().flatMap((batch) => batch.entries);
    expect(entries.map(({ MessageBody }) => JSON.parse(MessageBody!))).toEqual(
      messages.map(({ message }) => message),
    );
    expect(entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual(messages.map(({ delaySec }) => delaySec));
  });

  it('sends each message to the queue of its pool and priority', async () => {
    await queue().send([
      ...outgoing(2),
      ...outgoing(1, { priority: 'highest' }),
      ...outgoing(1, { pool: 'gpu' }),
      ...outgoing(1),
    ]);
    expect(sent().map(({ url, entries }) => [url, entries.length])).toEqual([
      ['https://sqs.test/default-medium', 3],
      ['https://sqs.test/default-highest', 1],
      ['https://sqs.test/gpu-medium', 1],
    ]);
  });

  it('groups messages by user, without naming the user', async () => {
    await queue().send([
      { message: aMessage({ jobKey: 'alice/one' }), delaySec: 0 },
      { message: aMessage({ jobKey: 'alice/two' }), delaySec: 0 },
      { message: aMessage({ jobKey: 'alice2/one' }), delaySec: 0 },
    ]);
    const groups = sent()[0]!.entries.map(({ MessageGroupId }) => MessageGroupId!);
    expect(groups[0]).toBe(groups[1]);
    expect(groups[0]).not.toBe(groups[2]);
    expect(groups.join()).not.toContain('alice');
    expect(groups[0]!.length).toBeLessThanOrEqual(128);
  });

  it('sends again only what a batch did not take', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .callsFake(answering((body, call) => (call === 1 && /job-[258]"/.test(body) ? {} : undefined)));
    await clock.settle(queue().send(outgoing(10)));
    const [first, second, ...more] = sent();
    expect(first!.entries).toHaveLength(10);
    expect(
      second!.entries.map(({ MessageBody }) => (JSON.parse(MessageBody!) as { jobKey: string }).jobKey),
    ).toEqual(['alice/job-2', 'alice/job-5', 'alice/job-8']);
    expect(more).toEqual([]);
    expect(clock.monotonicMs()).toBeGreaterThan(0);
  });

  it('names what is refused to the end, and only that', async () => {
    sqs.on(SendMessageBatchCommand).callsFake(answering((body) => (/job-1"/.test(body) ? {} : undefined)));
    const messages = outgoing(12);
    const sending = queue().send(messages);
    await clock.settle(sending.catch(() => undefined));
    const error = await sending.catch((reason: unknown) => reason as SendError);
    expect(error).toBeInstanceOf(SendError);
    expect((error as SendError).rejected).toEqual([messages[1]]);
    expect(((error as SendError).cause as Error).message).toContain('Throttled');
  });

  it('does not repeat what SQS will always refuse', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .callsFake(answering(() => ({ SenderFault: true, Code: 'InvalidMessageContents' })));
    await expect(clock.settle(queue().send(outgoing(1)))).rejects.toThrow('1 messages were not accepted');
    expect(sent()).toHaveLength(1);
  });

  it('takes a message that no list names for not accepted', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    await expect(clock.settle(queue().send(outgoing(2)))).rejects.toThrow(SendError);
  });

  it('gives up only the batch that got no answer', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .callsFakeOnce(() => Promise.reject(new Error('no answer')))
      .callsFake(answering(() => undefined));
    const messages = outgoing(15);
    const error = await queue()
      .send(messages)
      .catch((reason: unknown) => reason as SendError);
    expect((error as SendError).rejected).toEqual(messages.slice(0, 10));
    expect((error as SendError).cause).toEqual(new Error('no answer'));
  });

  it.each([-1, 901, 0.5, Number.NaN])('refuses a delay of %p before it sends anything', async (delaySec) => {
    const messages = [...outgoing(1), { message: aMessage(), delaySec }];
    await expect(queue().send(messages)).rejects.toThrow(`delaySec is ${delaySec}`);
    expect(sent()).toEqual([]);
  });

  it.each(['nope', 'constructor'])('names a pool that has no queue: %s', async (pool) => {
    const messages = [{ message: aMessage({ pool }), delaySec: 0 }];
    await expect(queue().send(messages)).rejects.toThrow(`no queue for pool "${pool}", lane medium`);
  });

  it('sends to the lane that is given, whatever the priority', async () => {
    await queue().send([{ message: aMessage({ priority: 'high' }), delaySec: 0, lane: 'overflow' }]);
    expect(sent()).toMatchObject([{ url: 'https://sqs.test/default-overflow' }]);
  });

  it.each([
    ['arn:aws:sqs:us-east-1:111122223333:gpu-overflow', true],
    ['arn:aws:sqs:us-east-1:111122223333:gpu-low', false],
    ['', false],
  ])('knows by its ARN whether a queue is an overflow: %s', (arn, expected) => {
    expect(isOverflow(arn, URLS)).toBe(expected);
  });

  it('sends nothing for nothing', async () => {
    await queue().send([]);
    expect(sent()).toEqual([]);
  });

  it('tells the backlog of a queue', async () => {
    sqs.on(GetQueueAttributesCommand, { QueueUrl: 'https://sqs.test/gpu-low' }).resolves({
      Attributes: { ApproximateNumberOfMessages: '7', ApproximateNumberOfMessagesNotVisible: '2' },
    });
    expect(await queue().backlog('gpu', 'low')).toEqual({ visible: 7, inFlight: 2 });
  });

  it('sends requests, and says how many were not accepted', async () => {
    const access = { sqs: new SQSClient(), clock, random: new FakeRandom() };
    const requests = sqsRequestQueue<{ shards: number[] }>(access, 'https://sqs.test/scan');
    await requests.send([{ request: { shards: [1, 2] }, delaySec: 10 }]);
    expect(sent()).toEqual([
      {
        url: 'https://sqs.test/scan',
        entries: [expect.objectContaining({ MessageBody: '{"shards":[1,2]}' })],
      },
    ]);
    sqs.on(SendMessageBatchCommand).resolves({});
    const failing = requests.send([{ request: { shards: [1] }, delaySec: 0 }]);
    await expect(clock.settle(failing)).rejects.toThrow(
      '1 of 1 requests were not accepted by https://sqs.test/scan',
    );
  });
});
