import { createHash } from 'node:crypto';

import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';

import { usualLaneOf } from '../../contracts/messages';
import type { Lane } from '../../contracts/pools';
import { userPartOf } from '../../contracts/tables';
import { type ExecutionQueue, SendError, type Outgoing } from '../execution-queue';
import { type QueueMessage, sendBatches, type SqsAccess } from './send-batches';

/** URL of each queue of each pool, as the environment has them. */
export type QueueUrls = Readonly<Record<string, Readonly<Partial<Record<Lane, string>>>>>;

/** Whether a queue is the overflow queue of a pool. Its URL and its ARN end with the same name. */
export const isOverflow = (queueArn: string, urls: QueueUrls): boolean =>
  Object.values(urls).some(({ overflow }) => overflow?.split('/').at(-1) === queueArn.split(':').at(-1));

export function sqsExecutionQueue(access: SqsAccess, urls: QueueUrls): ExecutionQueue {
  const urlOf = (pool: string, lane: Lane): string => {
    const url = Object.hasOwn(urls, pool) ? urls[pool]![lane] : undefined;
    if (url === undefined) {
      throw new Error(
        `no queue for pool ${JSON.stringify(pool)}, lane ${lane}; pools: ${Object.keys(urls).join(', ')}`,
      );
    }
    return url;
  };
  return {
    async send(outgoing) {
      const messages = outgoing.map((one) => ({ ...queueMessageOf(one, urlOf), outgoing: one }));
      const { rejected, cause } = await sendBatches(access, messages);
      if (rejected.length > 0)
        throw new SendError(
          rejected.map(({ outgoing: one }) => one),
          { cause },
        );
    },

    has: (pool, priority) => Object.hasOwn(urls, pool) && urls[pool]![priority] !== undefined,

    async backlog(pool, lane) {
      const { Attributes } = await access.sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: urlOf(pool, lane),
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
  { message, delaySec, lane = usualLaneOf(message) }: Outgoing,
  urlOf: (pool: string, lane: Lane) => string,
): QueueMessage => ({
  queueUrl: urlOf(message.pool, lane),
  body: JSON.stringify(message),
  delaySec,
  groupId: groupIdOf(message.jobKey),
});

const GROUP_ID_LENGTH = 22; // 128 bits

/** One group per project: SQS then serves a project with little in flight before one with much. */
export const groupIdOf = (jobKey: string): string =>
  createHash('sha256').update(userPartOf(jobKey)).digest('base64url').slice(0, GROUP_ID_LENGTH);
