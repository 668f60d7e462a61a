import * as z from 'zod';

import { PolicyDocument } from '../../iam/policy';
import { arn, ignored, type Identity, nameOf, type ResourceType } from '../resource-type';

const count = z.coerce.number().int();

/**
 * The ranges are those of SQS. FIFO queues are not supported, nor KMS keys, whose policies would apply too.
 */
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
  RedriveAllowPolicy: z
    .strictObject({
      redrivePermission: z.enum(['allowAll', 'denyAll', 'byQueue']),
      sourceQueueArns: z.array(z.string()).default([]),
    })
    .optional(),
  SqsManagedSseEnabled: ignored,
  Tags: ignored,
});
export type QueueProperties = z.output<typeof QueueProperties>;

export const QueuePolicyProperties = z.strictObject({ PolicyDocument, Queues: z.array(z.string()) });

const queueUrl = ({ name, aws }: Identity): string => `${aws.awsUrl}/${aws.accountId}/${name}`;

export const SQS_TYPES: Record<string, ResourceType> = {
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    ref: queueUrl,
    attributes: { Arn: arn('sqs'), QueueName: nameOf, QueueUrl: queueUrl },
    properties: QueueProperties,
  },
  'AWS::SQS::QueuePolicy': { ref: nameOf, attributes: {}, properties: QueuePolicyProperties },
};
