import { createHash } from 'node:crypto';

import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';

import type { Priority } from '../../contracts/pools';
import { type ExecutionQueue, NotSent, type Outgoing } from '../execution-queue';
import { type QueueMessage, sendBatches, type SqsAccess } from './send-batches';

/** URL of the queue of each pool and priority, as the environment gives them. */
export type QueueUrls = Readonly<Record<string, Readonly<Partial<Record<Priority, string>>>>>;

export function sqsExecutionQueue(access: SqsAccess, urls: QueueUrls): ExecutionQueue {
  const urlOf = (pool: string, priority: Priority): string => {
    const url = Object.hasOwn(urls, pool) ? urls[pool]![priority] : undefined;
    if (url === undefined) {
      throw new Error(
        `no queue for pool ${JSON.stringify(pool)}, priority ${priority}; pools: ${Object.keys(urls).join(', ')}`,
      );
    }
    return url;
  };
  return {
    async send(outgoing) {
      const messages = outgoing.map((one) => ({ ...queueMessageOf(one, urlOf), outgoing: one }));
      const { rejected, cause } = await sendBatches(access, messages);
      if (rejected.length > 0)
        throw new NotSent(
          rejected.map(({ outgoing: one }) => one),
          { cause },
        );
    },

    has: (pool, priority) => Object.hasOwn(urls, pool) && urls[pool]![priority] !== undefined,

    async backlog(pool, priority) {
      const { Attributes } = await access.sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: urlOf(pool, priority),
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return {
        visible: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
        inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
      };
    },
  };
}

const queueMessageOf = (
  { message, delaySec }: Outgoing,
  urlOf: (pool: string, priority: Priority) => string,
): QueueMessage => ({
  queueUrl: urlOf(message.pool, message.priority),
  body: JSON.stringify(message),
  delaySec,
  groupId: groupIdOf(message.jobKey),
});

const GROUP_ID_LENGTH = 22; // 128 bits

/** One group a user: SQS then serves quiet users before one who has much in flight. */
export const groupIdOf = (jobKey: string): string =>
  createHash('sha256')
    .update(jobKey.slice(0, jobKey.indexOf('/')))
    .digest('base64url')
    .slice(0, GROUP_ID_LENGTH);
