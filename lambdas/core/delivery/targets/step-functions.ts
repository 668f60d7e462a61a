import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { StepFunctionsTarget } from '../../domain/target';
import { awsTargetType, resourceOfArn } from './aws-target-type';

const NAME = /^[\w-]{1,80}$/;

export const stepFunctions = awsTargetType<StepFunctionsTarget>({
  field: 'stateMachineArn',
  expected: 'the ARN of a state machine',
  resourceOf: ({ stateMachineArn }) => resourceOfArn(stateMachineArn, TARGET_RESOURCES.stepfunctions, NAME),
});
