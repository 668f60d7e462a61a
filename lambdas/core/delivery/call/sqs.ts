import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { SqsTarget } from '../../domain/target';
import { outputOf } from '../../domain/workflow/output';
import type { AwsCall } from './aws-call';
import { clientIn } from './aws-client';
import { fifoFieldsOf, jsonOf, messageAttributesOf } from './message';

/** Sends the payload as one message. */
export const callSqs: AwsCall<SqsTarget> = async ({ queueUrl }, delivery, { signal, ...context }) => {
  const message = new SendMessageCommand({
    QueueUrl: queueUrl,
    MessageBody: jsonOf(delivery),
    MessageAttributes: messageAttributesOf(delivery),
    ...fifoFieldsOf(queueUrl, delivery),
  });
  const { $metadata, MessageId } = await clientIn(SQSClient, context).send(message, { abortSignal: signal });
  return {
    outcome: 'succeeded',
    statusCode: $metadata.httpStatusCode,
    body: MessageId,
    ...(delivery.keepsOutput && { output: outputOf({ messageId: MessageId }) }),
  };
};
