import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

import type { Site } from '../site/site';

const BATCH = 10;
/** Receivers at once: what they read is timed by SQS, so they only have to be enough. */
const RECEIVERS = 4;

export interface Delays {
  sent: number;
  /** First receive − (sent + delay), by the clock of SQS, in milliseconds. */
  offsetsMs: number[];
  /** Messages that were received a second time. */
  twice: number;
}

/** Sends messages with delays of 1 s up to the longest, and receives all of them. */
export async function measureDelays(site: Site): Promise<Delays> {
  const { sizes, clients } = site;
  const { messages, longestSec } = sizes.delays;
  const queue = await site.scratchQueue();
  const received = new Map<string, number>();
  let twice = 0;
  const endMs = site.nowMs() + longestSec * 1_000 + sizes.patienceMs;
  const isDone = () => received.size >= messages || site.nowMs() >= endMs;
  const note = (all: readonly Message[]) => {
    for (const { MessageId = '', Body = '', Attributes = {} } of all) {
      if (received.has(MessageId)) twice += 1;
      const { SentTimestamp, ApproximateFirstReceiveTimestamp } = Attributes;
      const dueMs = Number(SentTimestamp) + Number(Body) * 1_000;
      received.set(MessageId, Number(ApproximateFirstReceiveTimestamp) - dueMs);
    }
  };
  const receivers = Array.from({ length: RECEIVERS }, () => receiveAll(clients.sqs, queue, { isDone, note }));
  await sendAll(clients.sqs, queue, messages, longestSec);
  await Promise.all(receivers);
  return { sent: messages, offsetsMs: [...received.values()], twice };
}

async function sendAll(
  sqs: SQSClient,
  QueueUrl: string,
  messages: number,
  longestSec: number,
): Promise<void> {
  for (let first = 0; first < messages; first += BATCH) {
    const Entries = Array.from({ length: Math.min(BATCH, messages - first) }, (_, index) => {
      const DelaySeconds = 1 + ((first + index) % longestSec);
      return { Id: String(index), MessageBody: String(DelaySeconds), DelaySeconds };
    });
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0)
      throw new Error(`SQS did not take ${Failed.length} messages: ${Failed[0]!.Message}`);
  }
}

async function receiveAll(
  sqs: SQSClient,
  QueueUrl: string,
  { isDone, note }: { isDone(): boolean; note(messages: readonly Message[]): void },
): Promise<void> {
  while (!isDone()) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateFirstReceiveTimestamp'],
      }),
    );
    note(Messages);
    if (Messages.length === 0) continue;
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}
