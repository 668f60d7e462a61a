import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';

import { inParallel } from '../../async/in-parallel';
import type { Random } from '../../clock/random';
import type { Clock } from '../../clock/clock';
import { MAX_DELAY_SEC } from '../../contracts/horizon';
import { MESSAGES_A_BATCH, PARALLEL_BATCHES } from '../execution-queue';

export interface SqsAccess {
  sqs: Pick<SQSClient, 'send'>;
  clock: Clock;
  random: Random;
}

/** One message for one queue. */
export interface QueueMessage {
  queueUrl: string;
  body: string;
  /** Whole seconds, 0–900. */
  delaySec: number;
  /** Names the user to a fair queue. */
  groupId?: string;
}

const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 100;

/**
 * Sends batches of ten, each to its queue, some batches at once. SQS answers 200 to a batch of which it
 * accepted only a part. Messages that the answer does not list as accepted are sent again, alone. Cost: one
 * request per batch, up to 64 KB.
 *
 * @returns the messages that were not accepted in the end, and the reason of one of them
 */
export async function sendBatches<Message extends QueueMessage>(
  access: SqsAccess,
  messages: readonly Message[],
): Promise<{ rejected: Message[]; cause?: unknown }> {
  for (const { delaySec } of messages) checkDelay(delaySec);
  const rejected: Message[] = [];
  let cause: unknown;
  await inParallel(batchesOf(messages), PARALLEL_BATCHES, async (batch) => {
    const answer = await sendBatch(access, batch);
    rejected.push(...answer.rejected);
    cause ??= answer.cause;
  });
  return { rejected, cause };
}

/** By queue, ten at a time. */
function batchesOf<Message extends QueueMessage>(messages: readonly Message[]): Message[][] {
  const open = new Map<string, Message[]>();
  const batches: Message[][] = [];
  for (const message of messages) {
    let batch = open.get(message.queueUrl);
    if (!batch || batch.length === MESSAGES_A_BATCH) {
      batch = [];
      batches.push(batch);
      open.set(message.queueUrl, batch);
    }
    batch.push(message);
  }
  return batches;
}

async function sendBatch<Message extends QueueMessage>(
  { sqs, clock, random }: SqsAccess,
  batch: readonly Message[],
): Promise<{ rejected: Message[]; cause?: unknown }> {
  let open = [...batch];
  let cause: unknown;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await clock.sleep(random.fraction() * FIRST_PAUSE_MS * 2 ** tries);
    try {
      const answer = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: open[0]!.queueUrl, Entries: open.map(entryOf) }),
      );
      const accepted = new Set(answer.Successful?.map(({ Id }) => Id));
      open = open.filter((_, index) => !accepted.has(String(index)));
      if (open.length === 0) return { rejected: [] };
      const [failure] = answer.Failed ?? [];
      cause = new Error(
        `SQS rejected ${open.length} of a batch: ${failure?.Code} ${failure?.Message ?? ''}`.trim(),
      );
      if (answer.Failed?.every(({ SenderFault }) => SenderFault)) break; // it would reject them again
    } catch (error) {
      return { rejected: open, cause: error }; // the SDK has retried already
    }
  }
  return { rejected: open, cause };
}

const entryOf = (message: QueueMessage, index: number): SendMessageBatchRequestEntry => ({
  Id: String(index),
  MessageBody: message.body,
  DelaySeconds: message.delaySec,
  MessageGroupId: message.groupId,
});

function checkDelay(delaySec: number): void {
  if (!Number.isInteger(delaySec) || delaySec < 0 || delaySec > MAX_DELAY_SEC) {
    throw new Error(`delaySec is ${delaySec}, must be a whole number from 0 to ${MAX_DELAY_SEC}`);
  }
}
