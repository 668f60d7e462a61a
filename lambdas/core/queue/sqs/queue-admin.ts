import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';

import { SECOND_MS } from '../../clock/clock';
import type { QueueAdmin, QueueStatus } from '../queue-admin';
import { MESSAGES_A_BATCH } from '../execution-queue';
import { type QueueMessage, sendBatches, type SqsAccess } from './send-batches';

/** For that long, a dead letter is hidden from another redrive while it moves. */
const HIDDEN_SEC = 30;
/** A long poll asks all of SQS's hosts: an empty answer to it means an empty queue. */
const POLL_SEC = 1;
/** Within the time-out of the API. The operator repeats the call for the rest. */
const REDRIVE_MS = 20 * SECOND_MS;

/** Status and redrive of queues by name. @param urls the URL of each queue that has a dead-letter queue */
export function sqsQueueAdmin(
  access: SqsAccess,
  urls: Readonly<Record<string, string>>,
): Omit<QueueAdmin, 'oldestSec'> {
  return {
    names: Object.keys(urls),
    status: () => Promise.all(Object.entries(urls).map(([name, url]) => statusOf(name, url, access))),
    redrive: async (name, max) => {
      const url = urls[name];
      if (url === undefined) throw new Error(`no queue ${name}`);
      return redrive({ url, deadLettersUrl: (await countsOf(url, access)).deadLettersUrl }, max, access);
    },
  };
}

async function statusOf(name: string, url: string, access: SqsAccess): Promise<QueueStatus> {
  const { visible, inFlight, deadLettersUrl } = await countsOf(url, access);
  const deadLetters = await countsOf(deadLettersUrl, access);
  return { name, waiting: visible, inFlight, dead: deadLetters.visible + deadLetters.inFlight };
}

interface Counts {
  visible: number;
  inFlight: number;
  /** Its own URL where it has no dead-letter queue. */
  deadLettersUrl: string;
}

/** Cost: 1 request. */
async function countsOf(url: string, { sqs }: SqsAccess): Promise<Counts> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'RedrivePolicy',
      ],
    }),
  );
  const { deadLetterTargetArn } = JSON.parse(Attributes?.RedrivePolicy ?? '{}') as {
    deadLetterTargetArn?: string;
  };
  return {
    visible: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
    deadLettersUrl: deadLetterTargetArn === undefined ? url : siblingUrl(url, deadLetterTargetArn),
  };
}

/** Both queues are of one account and region, and a URL ends with the queue's name. */
const siblingUrl = (url: string, arn: string): string =>
  url.slice(0, url.lastIndexOf('/') + 1) + arn.slice(arn.lastIndexOf(':') + 1);

/**
 * Sends each message first and deletes it from the dead letters then, so none is lost. A message that is sent
 * twice does no harm. Cost: 3 requests for ten messages.
 */
async function redrive(
  { url, deadLettersUrl }: { url: string; deadLettersUrl: string },
  max: number,
  access: SqsAccess,
): Promise<number> {
  const { sqs, clock } = access;
  const untilMs = clock.monotonicMs() + REDRIVE_MS;
  let moved = 0;
  while (moved < max && clock.monotonicMs() < untilMs) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadLettersUrl,
        MaxNumberOfMessages: Math.min(MESSAGES_A_BATCH, max - moved),
        WaitTimeSeconds: POLL_SEC,
        VisibilityTimeout: HIDDEN_SEC,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) break;
    const messages = Messages.map(
      ({ Body = '', Attributes, ReceiptHandle }): QueueMessage & { receiptHandle: string } => ({
        queueUrl: url,
        body: Body,
        delaySec: 0,
        groupId: Attributes?.MessageGroupId,
        receiptHandle: ReceiptHandle!,
      }),
    );
    const { rejected, cause } = await sendBatches(access, messages);
    const sent = messages.filter((message) => !rejected.includes(message));
    if (sent.length === 0) throw cause;
    await sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl: deadLettersUrl,
        Entries: sent.map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
        })),
      }),
    );
    moved += sent.length;
  }
  return moved;
}
