import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

/** The end of the ARN of a stream. AWS has the time at which the stream was made. */
export const STREAM_LABEL = '/stream/2026-01-01T00:00:00.000';

const keyOf = (type: 'HASH' | 'RANGE') =>
  z.strictObject({ AttributeName: z.string(), KeyType: z.literal(type) });
/** The embedded tables have two keys, which are strings, and indexes with all attributes. */
const KeySchema = z.tuple([keyOf('HASH'), keyOf('RANGE')]);
const AttributeDefinitions = z.array(
  z.strictObject({ AttributeName: z.string(), AttributeType: z.literal('S') }),
);

const Index = z.strictObject({
  IndexName: z.string(),
  KeySchema,
  Projection: z.strictObject({
    ProjectionType: z.literal('ALL'),
  }),
  ContributorInsightsSpecification: ignored,
  WarmThroughput: ignored,
  WriteOnDemandThroughputSettings: ignored,
  WriteProvisionedThroughputSettings: ignored,
});

export const TableProperties = z.strictObject({
  TableName: z.string().optional(),
  KeySchema,
  AttributeDefinitions,
  BillingMode: z.enum(['PAY_PER_REQUEST', 'PROVISIONED']),
  GlobalSecondaryIndexes: z.array(Index).optional(),
  TimeToLiveSpecification: z
    .strictObject({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
  // Backups, encryption and limits of a table have no effect on a single machine.
  ContributorInsightsSpecification: ignored,
  DeletionProtectionEnabled: ignored,
  OnDemandThroughput: ignored,
  PointInTimeRecoverySpecification: ignored,
  Replicas: z
    .array(
      z
        .looseObject({})
        .refine((replica) => !('ResourcePolicy' in replica), 'the local run does not support ResourcePolicy'),
    )
    .optional(),
  SSESpecification: ignored,
  StreamSpecification: z.strictObject({ StreamViewType: z.literal('NEW_AND_OLD_IMAGES') }).optional(),
  Tags: ignored,
  WarmThroughput: ignored,
  WriteOnDemandThroughputSettings: ignored,
  WriteProvisionedThroughputSettings: ignored,
});
export type TableProperties = z.output<typeof TableProperties>;

const table: ResourceType = {
  nameProperty: 'TableName',
  ref: nameOf,
  attributes: {
    Arn: arn('dynamodb', 'table/'),
    StreamArn: arn('dynamodb', 'table/', STREAM_LABEL),
  },
  properties: TableProperties,
};

export const DYNAMODB_TYPES: Record<string, ResourceType> = {
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
};
