import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

export const EventBusProperties = z.strictObject({
  Name: z.string(),
  Description: ignored,
  KmsKeyIdentifier: ignored,
  LogConfig: ignored,
  Tags: ignored,
});

/** The services whose events the local run makes. */
const SOURCES = ['aws.states', 'aws.ecs', 'aws.batch', 'aws.glue', 'aws.codebuild', 'aws.lambda'] as const;

/** What a text in an event may be: equal to a text, or with this beginning. */
const Matchers = z.array(z.union([z.string(), z.strictObject({ prefix: z.string() })])).min(1);

/** What the fields of an event may be, at any depth. In a list, one object has to match as a whole. */
export interface EventDetailPattern {
  [field: string]: z.output<typeof Matchers> | EventDetailPattern;
}
const EventDetail: z.ZodType<EventDetailPattern> = z.lazy(() =>
  z.record(z.string(), z.union([Matchers, EventDetail])),
);

/**
 * Patterns like those of the watcher alone. The local run makes such events, and matches them so. With
 * another pattern, a rule would miss events that AWS delivers, or the reverse.
 */
const EventPattern = z.strictObject({
  source: z.array(z.enum(SOURCES)).min(1),
  'detail-type': z.array(z.string()).min(1),
  detail: EventDetail,
});
export type EventPattern = z.output<typeof EventPattern>;

/** A rule of the default bus, with queues as its targets. */
export const RuleProperties = z.strictObject({
  Name: z.string().optional(),
  Description: ignored,
  EventPattern,
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Tags: ignored,
  Targets: z.array(z.strictObject({ Id: z.string(), Arn: z.string() })),
});

export const EVENTS_TYPES: Record<string, ResourceType> = {
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    ref: nameOf,
    attributes: { Arn: arn('events', 'event-bus/'), Name: nameOf },
    properties: EventBusProperties,
  },
  'AWS::Events::Rule': {
    nameProperty: 'Name',
    ref: nameOf,
    attributes: { Arn: arn('events', 'rule/') },
    properties: RuleProperties,
  },
};
