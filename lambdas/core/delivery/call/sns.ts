import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import type { SnsTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import type { AwsCall } from './aws-call';
import { clientIn } from './aws-client';
import { fifoFieldsOf, jsonOf, messageAttributesOf } from './message';

/** Publishes the payload as one message. */
export const callSns: AwsCall<SnsTarget> = async ({ topicArn }, delivery, { signal, ...context }) => {
  const message = new PublishCommand({
    TopicArn: topicArn,
    Message: jsonOf(delivery),
    MessageAttributes: messageAttributesOf(delivery),
    ...fifoFieldsOf(topicArn, delivery),
  });
  const { $metadata, MessageId } = await clientIn(SNSClient, context).send(message, { abortSignal: signal });
  return {
    outcome: 'succeeded',
    statusCode: $metadata.httpStatusCode,
    body: MessageId,
    ...(delivery.keepsOutput && { output: outputOf({ messageId: MessageId }) }),
  };
};
