import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

export const ScheduleProperties = z.strictObject({
  Name: z.string().optional(),
  GroupName: z.string().default('default'),
  Description: ignored,
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default('UTC'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  // A schedule may fire anywhere in its window; here it fires at the beginning.
  FlexibleTimeWindow: ignored,
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: z.string().default('{}'),
    DeadLetterConfig: z.strictObject({ Arn: z.string().optional() }).optional(),
    // An event is passed to the function within the process, which cannot fail.
    RetryPolicy: ignored,
  }),
});
export type ScheduleProperties = z.output<typeof ScheduleProperties>;

export const SCHEDULER_TYPES: Record<string, ResourceType> = {
  'AWS::Scheduler::Schedule': {
    nameProperty: 'Name',
    ref: nameOf,
    attributes: { Arn: arn('scheduler', 'schedule/default/') },
    properties: ScheduleProperties,
  },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    ref: nameOf,
    attributes: { Arn: arn('scheduler', 'schedule-group/') },
  },
};
