import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

/**
 * Rules are not supported: a stack with rules is an error at start, since their targets would miss events.
 */
export const EventBusProperties = z.strictObject({
  Name: z.string(),
  Description: ignored,
  KmsKeyIdentifier: ignored,
  LogConfig: ignored,
  Tags: ignored,
});

export const EVENTS_TYPES: Record<string, ResourceType> = {
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    ref: nameOf,
    attributes: { Arn: arn('events', 'event-bus/'), Name: nameOf },
    properties: EventBusProperties,
  },
};
