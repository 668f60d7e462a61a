import * as z from 'zod';

import { arn, ignored, nameOf, type ResourceType } from '../resource-type';

const STREAM_ARN = /^arn:aws:dynamodb:.*\/stream\//;

export const FunctionProperties = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string().regex(/^[^.]+\.[^.]+$/, 'expected file.export'),
  Role: z.string(),
  Runtime: z.string().regex(/^nodejs/, 'expected a nodejs runtime'),
  Timeout: z.coerce.number().int().min(1).max(900).default(3),
  MemorySize: z.coerce.number().int().min(128).max(10_240).default(128),
  Environment: z
    .strictObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) })
    .default({ Variables: {} }),
  ReservedConcurrentExecutions: z.coerce.number().int().min(0).optional(),
  DeadLetterConfig: z.strictObject({ TargetArn: z.string() }).optional(),
  Architectures: ignored,
  Description: ignored,
  EphemeralStorage: ignored,
  Layers: z.array(z.string()).default([]),
  LoggingConfig: ignored,
  PackageType: z.literal('Zip').optional(),
  RecursiveLoop: ignored,
  RuntimeManagementConfig: ignored,
  Tags: ignored,
  TracingConfig: ignored,
  // What a pool in a VPC may call is enforced by its executors; this machine has no VPC.
  VpcConfig: ignored,
});
export type FunctionProperties = z.output<typeof FunctionProperties>;

export const LayerProperties = z.strictObject({
  Content: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Description: ignored,
});

/** Filters and batching windows of queues are not supported, since they would change the batches. */
export const MappingProperties = z.strictObject({
  EventSourceArn: z.string().regex(/^arn:aws:sqs:/, 'expected the ARN of a queue'),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().int().min(1).max(10).default(10),
  Enabled: z.boolean().default(true),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  MaximumBatchingWindowInSeconds: z.literal(0).optional(),
  ScalingConfig: z
    .strictObject({ MaximumConcurrency: z.coerce.number().int().min(2).max(1000).optional() })
    .optional(),
  ProvisionedPollerConfig: z
    .strictObject({
      MinimumPollers: z.coerce.number().int().min(2).max(200).default(2),
      MaximumPollers: z.coerce.number().int().min(2).max(2000).default(200),
    })
    .optional(),
  MetricsConfig: ignored,
  Tags: ignored,
});
export type MappingProperties = z.output<typeof MappingProperties>;

/**
 * Patterns like that of the follower alone: texts that an attribute of the new image may be. Another pattern
 * would pass other records than in AWS.
 */
const StreamPattern = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(
    z.strictObject({
      dynamodb: z.strictObject({
        NewImage: z.record(z.string(), z.strictObject({ S: z.array(z.string()).min(1) })),
      }),
    }),
  );

/** A mapping of the stream of a table. */
export const StreamMappingProperties = z.strictObject({
  EventSourceArn: z.string().regex(STREAM_ARN),
  FunctionName: z.string(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  BatchSize: z.coerce.number().int().min(1).max(10_000).default(100),
  Enabled: z.boolean().default(true),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  MaximumBatchingWindowInSeconds: z.coerce.number().int().min(0).max(300).default(0),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRecordAgeInSeconds: z.coerce.number().int().min(-1).max(604_800).default(-1),
  ParallelizationFactor: z.literal(1).optional(),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }).optional(),
  FilterCriteria: z
    .strictObject({ Filters: z.array(z.strictObject({ Pattern: StreamPattern })).length(1) })
    .optional(),
  MetricsConfig: ignored,
  Tags: ignored,
});
export type StreamMappingProperties = z.output<typeof StreamMappingProperties>;

/** By what its source is: the faults of the other kind say nothing. */
export const AnyMapping = z.unknown().transform((value, context) => {
  const { EventSourceArn = '' } = value as { EventSourceArn?: string };
  const schema = STREAM_ARN.test(EventSourceArn) ? StreamMappingProperties : MappingProperties;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
  return z.NEVER;
});

const destination = z.strictObject({ Destination: z.string() });

export const InvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumRetryAttempts: z.coerce.number().int().min(0).max(2).default(2),
  MaximumEventAgeInSeconds: z.coerce.number().int().min(60).max(21_600).default(21_600),
  DestinationConfig: z.strictObject({ OnFailure: destination.optional() }).optional(),
});
export type InvokeConfigProperties = z.output<typeof InvokeConfigProperties>;

/**
 * Only AWS services are supported as principals; the local run has no other accounts and no event source
 * tokens.
 */
export const PermissionProperties = z.strictObject({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string().regex(/\.amazonaws\.com$/, 'expected an AWS service'),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
});

export type PermissionProperties = z.output<typeof PermissionProperties>;

export const LAMBDA_TYPES: Record<string, ResourceType> = {
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    ref: nameOf,
    attributes: { Arn: arn('lambda', 'function:') },
    properties: FunctionProperties,
  },
  'AWS::Lambda::LayerVersion': {
    ref: arn('lambda', 'layer:', ':1'),
    attributes: {},
    properties: LayerProperties,
  },
  'AWS::Lambda::EventSourceMapping': {
    ref: nameOf,
    attributes: { Id: nameOf, EventSourceMappingArn: arn('lambda', 'event-source-mapping:') },
    properties: AnyMapping,
  },
  'AWS::Lambda::EventInvokeConfig': { ref: nameOf, attributes: {}, properties: InvokeConfigProperties },
  'AWS::Lambda::Permission': { ref: nameOf, attributes: {}, properties: PermissionProperties },
};
