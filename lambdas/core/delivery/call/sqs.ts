import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { TargetResult } from '../../domain/target-result';
import type { SqsTarget } from '../../domain/target';
import type { Delivery } from '../delivery';
import { clientIn } from './aws-client';
import { failureOf } from './aws-failure';
import { fifoOf, jsonOf, messageAttributesOf } from './message';

/** Sends the payload as one message. */
export async function callSqs(
  { queueUrl }: SqsTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const message = new SendMessageCommand({
    QueueUrl: queueUrl,
    MessageBody: jsonOf(delivery),
    MessageAttributes: messageAttributesOf(delivery),
    ...fifoOf(queueUrl, delivery),
  });
  try {
    const { $metadata, MessageId } = await clientIn(SQSClient, region).send(message, { abortSignal: signal });
    return { outcome: 'succeeded', statusCode: $metadata.httpStatusCode, body: MessageId };
  } catch (error) {
    return failureOf(error, signal);
  }
}
