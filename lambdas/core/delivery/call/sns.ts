import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import type { TargetResult } from '../../domain/target-result';
import type { SnsTarget } from '../../domain/target';
import type { Delivery } from '../delivery';
import { clientIn } from './aws-client';
import { failureOf } from './aws-failure';
import { fifoOf, jsonOf, messageAttributesOf } from './message';

/** Publishes the payload as one message. */
export async function callSns(
  { topicArn }: SnsTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  const message = new PublishCommand({
    TopicArn: topicArn,
    Message: jsonOf(delivery),
    MessageAttributes: messageAttributesOf(delivery),
    ...fifoOf(topicArn, delivery),
  });
  try {
    const { $metadata, MessageId } = await clientIn(SNSClient, region).send(message, { abortSignal: signal });
    return { outcome: 'succeeded', statusCode: $metadata.httpStatusCode, body: MessageId };
  } catch (error) {
    return failureOf(error, signal);
  }
}
