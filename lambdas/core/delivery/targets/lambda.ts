import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { LambdaTarget } from '../../domain/target';
import { awsTargetType, resourceOfArn } from './aws-target-type';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const lambda = awsTargetType<LambdaTarget>({
  field: 'functionArn',
  expected: 'the ARN of a function, without version or alias',
  resourceOf: ({ functionArn }) => resourceOfArn(functionArn, TARGET_RESOURCES.lambda, NAME),
});
