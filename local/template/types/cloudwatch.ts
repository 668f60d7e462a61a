import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

export const DashboardProperties = z.strictObject({
  DashboardName: z.string().optional(),
  DashboardBody: z.string(),
  Tags: ignored,
});

/** Alarms have no effect here; only dashboards are drawn. */
const alarm: ResourceType = {
  nameProperty: 'AlarmName',
  ref: nameOf,
  attributes: { Arn: arn('cloudwatch', 'alarm:') },
};

export const CLOUDWATCH_TYPES: Record<string, ResourceType> = {
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::CompositeAlarm': alarm,
  'AWS::CloudWatch::Dashboard': {
    nameProperty: 'DashboardName',
    ref: nameOf,
    attributes: {},
    properties: DashboardProperties,
  },
};
