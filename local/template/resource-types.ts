import type { ResourceType } from './resource-type';
import { API_GATEWAY_TYPES } from './types/api-gateway';
import { CLOUDWATCH_TYPES } from './types/cloudwatch';
import { DYNAMODB_TYPES } from './types/dynamodb';
import { IAM_TYPES } from './types/iam';
import { EVENTS_TYPES } from './types/events';
import { INERT_TYPES } from './types/inert';
import { LAMBDA_TYPES } from './types/lambda';
import { SCHEDULER_TYPES } from './types/scheduler';
import { SECRETS_MANAGER_TYPES } from './types/secrets-manager';
import { SQS_TYPES } from './types/sqs';

/** Every supported resource type, including those without effect here. */
export const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map(
  [
    API_GATEWAY_TYPES,
    CLOUDWATCH_TYPES,
    DYNAMODB_TYPES,
    IAM_TYPES,
    EVENTS_TYPES,
    INERT_TYPES,
    LAMBDA_TYPES,
    SCHEDULER_TYPES,
    SECRETS_MANAGER_TYPES,
    SQS_TYPES,
  ].flatMap((types) => Object.entries(types)),
);
