import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { SECOND_MS } from '../machine/clock';
import { LocalRunError } from '../run/errors';
import type { Assembly } from './assembly';
import { EVENT_SOURCE_LIMITS } from './event-source-limits';
import { type FunctionFinder, functionFinder } from './find-function';
import { readHttpApi } from './read-http-api';
import { readPolicies } from './read-policies';
import type { AwsEnvironment } from './resource-type';
import { type ResolvedTemplate, type Resource, resolveTemplate } from './resolve-template';
import type {
  EventRuleSpec,
  FunctionSpec,
  LocalStack,
  MappingSpec,
  QueueSpec,
  ScheduleSpec,
  StreamMappingSpec,
} from './stack';
import { DashboardProperties } from './types/cloudwatch';
import { TableProperties } from './types/dynamodb';
import { EventBusProperties, RuleProperties } from './types/events';
import {
  AnyMapping,
  FunctionProperties,
  InvokeConfigProperties,
  LayerProperties,
  type MappingProperties,
  type StreamMappingProperties,
} from './types/lambda';
import { ScheduleProperties } from './types/scheduler';
import { SecretProperties } from './types/secrets-manager';
import { QueueProperties } from './types/sqs';

/** Reads what the local run has to start. Throws a `LocalRunError` for what it does not support. */
export function readStack(assembly: Assembly, aws: AwsEnvironment): LocalStack {
  const template = resolveTemplate(assembly.template, assembly.stackName, aws);
  const functions = readFunctions(template, assembly);
  const functionArnOf = functionFinder(functions);
  return {
    stackName: assembly.stackName,
    tables: template.ofType(TableProperties, 'AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'),
    queues: readQueues(template),
    functions,
    ...readMappings(template, functionArnOf),
    schedules: readSchedules(template, functionArnOf, aws),
    secrets: template
      .ofType(SecretProperties, 'AWS::SecretsManager::Secret')
      .map(({ logicalId, name, ref, properties }) => ({
        logicalId,
        name,
        arn: ref,
        value: properties.SecretString,
        generate: properties.GenerateSecretString,
      })),
    dashboards: template
      .ofType(DashboardProperties, 'AWS::CloudWatch::Dashboard')
      .map(({ logicalId, name, arn, properties }) => ({
        logicalId,
        name,
        arn,
        body: properties.DashboardBody,
      })),
    eventBuses: template
      .ofType(EventBusProperties, 'AWS::Events::EventBus')
      .map(({ logicalId, name, arn }) => ({ logicalId, name, arn })),
    eventRules: readEventRules(template),
    httpApi: readHttpApi(template, functionArnOf),
    policies: readPolicies(template, functionArnOf),
  };
}

function readQueues(template: ResolvedTemplate): QueueSpec[] {
  const queues = template.ofType(QueueProperties, 'AWS::SQS::Queue');
  return queues.map(({ logicalId, name, arn, ref, properties }) => {
    const { QueueName: _, RedrivePolicy: redrive, RedriveAllowPolicy: _allow, ...rest } = properties;
    if (redrive) checkRedrive(queues, redrive.deadLetterTargetArn, { logicalId, arn });
    const attributes: Record<string, string> = {};
    for (const [key, value] of Object.entries(rest))
      if (typeof value === 'number') attributes[key] = String(value);
    if (redrive) attributes.RedrivePolicy = JSON.stringify(redrive);
    return { logicalId, name, arn, url: ref, attributes };
  });
}

/** SQS rejects a redrive policy that the dead-letter queue does not allow. */
function checkRedrive(
  queues: Resource<QueueProperties>[],
  deadLetterArn: string,
  { logicalId, arn }: { logicalId: string; arn: string },
): void {
  const deadLetters = queues.find((queue) => queue.arn === deadLetterArn);
  if (!deadLetters)
    throw new LocalRunError(`${logicalId}: its dead-letter queue ${deadLetterArn} is not in the stack`);
  const { redrivePermission = 'allowAll', sourceQueueArns = [] } =
    deadLetters.properties.RedriveAllowPolicy ?? {};
  if (redrivePermission === 'allowAll' || (redrivePermission === 'byQueue' && sourceQueueArns.includes(arn)))
    return;
  throw new LocalRunError(`${deadLetters.logicalId}: its RedriveAllowPolicy does not allow ${logicalId}`);
}

function readFunctions(template: ResolvedTemplate, assembly: Assembly): FunctionSpec[] {
  const layers = layersIn(template, assembly);
  const configs = template.ofType(InvokeConfigProperties, 'AWS::Lambda::EventInvokeConfig');
  return template
    .ofType(FunctionProperties, 'AWS::Lambda::Function')
    .map(({ logicalId, name, arn, properties }) => {
      const codeDirectory = assembly.assetPath(properties.Code.S3Key);
      if (!statSync(codeDirectory).isDirectory())
        throw new LocalRunError(`${logicalId}: its code ${codeDirectory} is not a folder`);
      const config = configs.find(
        ({ properties: { FunctionName } }) => FunctionName === name || FunctionName === arn,
      );
      return {
        logicalId,
        name,
        arn,
        codeDirectory,
        roleArn: properties.Role,
        handler: properties.Handler,
        timeoutSec: properties.Timeout,
        memoryMb: properties.MemorySize,
        environment: withLayers(
          properties.Environment.Variables,
          properties.Layers.map((layer) => layers.get(layer)!),
        ),
        reservedConcurrency: properties.ReservedConcurrentExecutions,
        asyncInvoke: {
          maxRetries: config?.properties.MaximumRetryAttempts ?? 2,
          maxAgeSec: config?.properties.MaximumEventAgeInSeconds ?? 21_600,
          destinationArn: config?.properties.DestinationConfig?.OnFailure?.Destination,
          deadLetterArn: properties.DeadLetterConfig?.TargetArn,
        },
      };
    });
}

/** The folders of layers, by ARN. */
const layersIn = (template: ResolvedTemplate, assembly: Assembly): ReadonlyMap<string, string> =>
  new Map(
    template
      .ofType(LayerProperties, 'AWS::Lambda::LayerVersion')
      .map(({ ref, properties }) => [ref, assembly.assetPath(properties.Content.S3Key)]),
  );

/** Where Lambda unpacks layers. */
const LAYERS_ROOT = '/opt/';

/** The environment with the paths of files that the layers have, as they are on this machine. */
function withLayers(environment: Record<string, string>, folders: readonly string[]): Record<string, string> {
  const localPath = (value: string): string => {
    if (!value.startsWith(LAYERS_ROOT)) return value;
    const paths = folders.map((folder) => join(folder, value.slice(LAYERS_ROOT.length)));
    return paths.findLast((path) => existsSync(path)) ?? value;
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, localPath(value)]));
}

/** Concurrent batches that a mapping may have. */
function concurrencyOf({ ScalingConfig, ProvisionedPollerConfig }: MappingProperties): number {
  if (ProvisionedPollerConfig)
    return ProvisionedPollerConfig.MaximumPollers * EVENT_SOURCE_LIMITS.pollerBatches;
  return ScalingConfig?.MaximumConcurrency ?? EVENT_SOURCE_LIMITS.concurrency;
}

function readMappings(
  template: ResolvedTemplate,
  functionArnOf: FunctionFinder,
): Pick<LocalStack, 'mappings' | 'streamMappings'> {
  const mappings: MappingSpec[] = [];
  const streamMappings: StreamMappingSpec[] = [];
  for (const { logicalId, properties } of template.ofType(AnyMapping, 'AWS::Lambda::EventSourceMapping')) {
    if (!properties.Enabled) continue;
    const source = {
      logicalId,
      functionArn: functionArnOf(properties.FunctionName, logicalId),
      batchSize: properties.BatchSize,
      reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    };
    if ('StartingPosition' in properties) streamMappings.push({ ...source, ...streamSourceOf(properties) });
    else
      mappings.push({
        ...source,
        queueArn: properties.EventSourceArn,
        maxConcurrency: concurrencyOf(properties),
        minPollers: properties.ProvisionedPollerConfig?.MinimumPollers,
      });
  }
  return { mappings, streamMappings };
}

const streamSourceOf = (properties: StreamMappingProperties) => ({
  streamArn: properties.EventSourceArn,
  windowMs: properties.MaximumBatchingWindowInSeconds * SECOND_MS,
  bisects: properties.BisectBatchOnFunctionError,
  maxAgeMs:
    properties.MaximumRecordAgeInSeconds < 0 ? undefined : properties.MaximumRecordAgeInSeconds * SECOND_MS,
  failureArn: properties.DestinationConfig?.OnFailure.Destination,
  wanted: Object.entries(properties.FilterCriteria?.Filters[0]?.Pattern.dynamodb.NewImage ?? {}).map(
    ([attribute, { S }]) => ({ attribute, texts: S }),
  ),
});

function readSchedules(
  template: ResolvedTemplate,
  functionArnOf: FunctionFinder,
  { region, accountId }: AwsEnvironment,
): ScheduleSpec[] {
  return template
    .ofType(ScheduleProperties, 'AWS::Scheduler::Schedule')
    .map(({ logicalId, name, arn, properties }) => ({
      logicalId,
      name,
      arn,
      enabled: properties.State === 'ENABLED',
      definition: { ...properties, Name: name },
      expression: properties.ScheduleExpression,
      timezone: properties.ScheduleExpressionTimezone,
      groupArn: `arn:aws:scheduler:${region}:${accountId}:schedule-group/${properties.GroupName}`,
      roleArn: properties.Target.RoleArn,
      functionArn: functionArnOf(properties.Target.Arn, logicalId),
      input: properties.Target.Input,
    }));
}

function readEventRules(template: ResolvedTemplate): EventRuleSpec[] {
  const queues = new Set(template.ofType(QueueProperties, 'AWS::SQS::Queue').map((queue) => queue.arn));
  return template
    .ofType(RuleProperties, 'AWS::Events::Rule')
    .map(({ logicalId, name, arn, properties: { State, EventPattern, Targets } }) => {
      const foreign = Targets.find(({ Arn }) => !queues.has(Arn));
      if (foreign)
        throw new LocalRunError(`${logicalId}: its target ${foreign.Arn} is no queue of the stack`);
      const queueArns = Targets.map(({ Arn }) => Arn);
      return { logicalId, name, arn, enabled: State === 'ENABLED', pattern: EventPattern, queueArns };
    });
}
