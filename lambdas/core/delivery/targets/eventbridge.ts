import { TARGET_RESOURCES } from '../../contracts/target-resources';
import type { EventBridgeTarget } from '../../domain/target';
import { arnOf } from '../arn';
import type { AwsPolicy } from '../aws-policy';
import { awsTargetType, resourceOfArn } from './aws-target-type';

const BUS = TARGET_RESOURCES.eventbridge;
/** Buses of partners have slashes in their names; no part of a name may be empty, `.` or `..`. */
const NAME = /^(?!(?:.*\/)?\.{0,2}(?:\/|$))[\w.\-/]{1,256}$/;

export const eventBridge = awsTargetType<EventBridgeTarget>({
  field: 'eventBusName',
  expected: 'the name or ARN of an event bus',
  resourceOf: ({ eventBusName }, policy) => resourceOfArn(busArnOf(eventBusName, policy), BUS, NAME),
  payloadFault: (payload) =>
    typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? undefined
      : 'must be an object: it becomes the detail of an event',
});

/** A bare name is that of a bus in the deployment's own account and region. */
const busArnOf = (nameOrArn: string, { region, accountId }: AwsPolicy): string =>
  nameOrArn.startsWith('arn:')
    ? nameOrArn
    : arnOf({ service: BUS.service, region, accountId, resource: BUS.prefix + nameOrArn });
