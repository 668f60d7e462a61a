import * as z from 'zod';

import { arn, ignored, type Identity, nameOf, type ResourceType } from '../resource-type';

const count = z.coerce.number().int();

/** Ranges are SQS's own. A FIFO queue is refused: `FifoQueue` is not listed. */
export const QueueProperties = z.strictObject({
  QueueName: z.string().optional(),
  DelaySeconds: count.min(0).max(900).optional(),
  MaximumMessageSize: count.min(1024).max(1_048_576).optional(),
  MessageRetentionPeriod: count.min(60).max(1_209_600).optional(),
  ReceiveMessageWaitTimeSeconds: count.min(0).max(20).optional(),
  VisibilityTimeout: count.min(0).max(43_200).optional(),
  RedrivePolicy: z
    .strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: count.min(1).max(1000) })
    .optional(),
  RedriveAllowPolicy: ignored,
  KmsDataKeyReusePeriodSeconds: ignored,
  KmsMasterKeyId: ignored,
  SqsManagedSseEnabled: ignored,
  Tags: ignored,
});
export type QueueProperties = z.output<typeof QueueProperties>;

const queueUrl = ({ name, place }: Identity): string => `${place.awsUrl}/${place.accountId}/${name}`;

export const SQS_TYPES: Record<string, ResourceType> = {
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    ref: queueUrl,
    attributes: { Arn: arn('sqs'), QueueName: nameOf, QueueUrl: queueUrl },
    properties: QueueProperties,
  },
  'AWS::SQS::QueuePolicy': { ref: nameOf, attributes: {} },
};
