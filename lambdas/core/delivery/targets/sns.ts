import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { SnsTarget } from '../../domain/target';
import { awsTargetType, resourceOfArn } from './aws-target-type';

const NAME = /^(?=.{1,256}$)[A-Za-z0-9_-]+(?:\.fifo)?$/;

export const sns = awsTargetType<SnsTarget>({
  field: 'topicArn',
  expected: 'the ARN of a topic',
  resourceOf: ({ topicArn }) => resourceOfArn(topicArn, TARGET_RESOURCES.sns, NAME),
});
