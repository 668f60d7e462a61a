import type * as z from 'zod';

import { LocalRunError } from '../run/errors';
import type { Template } from './assembly';
import { NO_VALUE, type References, resolveIntrinsics } from './intrinsics';
import type { AwsEnvironment, Identity, ResourceType } from './resource-type';
import { API_GATEWAY_TYPES, apiId } from './types/api-gateway';
import { CLOUDWATCH_TYPES } from './types/cloudwatch';
import { DYNAMODB_TYPES } from './types/dynamodb';
import { EVENTS_TYPES } from './types/events';
import { IAM_TYPES } from './types/iam';
import { INERT_TYPES } from './types/inert';
import { LAMBDA_TYPES } from './types/lambda';
import { SCHEDULER_TYPES } from './types/scheduler';
import { SECRETS_MANAGER_TYPES } from './types/secrets-manager';
import { SQS_TYPES } from './types/sqs';

/** Every supported resource type, including those without effect here. */
const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map(
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

/** A resource whose properties are validated and contain no intrinsics. */
export interface Resource<Properties> extends Identity {
  type: string;
  ref: string;
  arn: string;
  properties: Properties;
}

export interface ResolvedTemplate {
  /** All resources of these types, in the order of the template. `schema` must be the one of their type. */
  ofType<T extends z.ZodType>(schema: T, ...types: string[]): Resource<z.output<T>>[];
}

/**
 * Resolves all properties of all resources. Throws a `LocalRunError` that names the first unsupported
 * resource type, property, attribute or intrinsic.
 */
export function resolveTemplate(
  template: Template,
  stackName: string,
  aws: AwsEnvironment,
): ResolvedTemplate {
  const { references, identityOf } = referencesIn(template, stackName, aws);
  const toLoopback = loopbackUrls(template, identityOf, aws);
  const resources = Object.entries(template.Resources).map(([logicalId, { Type, Properties, Condition }]) => {
    if (Condition)
      throw new LocalRunError(
        `${logicalId}: it has the condition ${Condition}; the local run does not support conditions`,
      );
    const type = typeOf(logicalId, template);
    const identity = identityOf(logicalId);
    const properties = toLoopback(resolveIntrinsics(Properties, references, logicalId));
    return {
      ...identity,
      type: Type,
      ref: type.ref(identity),
      arn: type.attributes.Arn?.(identity) ?? type.ref(identity),
      properties: validate(type, properties, `${logicalId} (${Type})`),
    };
  });

  return {
    ofType: <T extends z.ZodType>(_schema: T, ...types: string[]) =>
      resources.filter(({ type }) => types.includes(type)) as Resource<z.output<T>>[],
  };
}

function typeOf(logicalId: string, template: Template): ResourceType {
  const name = template.Resources[logicalId]?.Type ?? '';
  const type = RESOURCE_TYPES.get(name);
  if (!type)
    throw new LocalRunError(`${logicalId}: the local run does not support the resource type ${name}`);
  return type;
}

type IdentityOf = (logicalId: string) => Identity;

/**
 * Resolves `Ref` and `Fn::GetAtt`. Names are resolved on demand, since a name may refer to another resource.
 */
function referencesIn(
  template: Template,
  stackName: string,
  aws: AwsEnvironment,
): { references: References; identityOf: IdentityOf } {
  const pseudoParameters = pseudoParametersOf(stackName, aws);
  const identities = new Map<string, Identity>();
  const identityOf: IdentityOf = (logicalId) => {
    const known = identities.get(logicalId);
    if (known) return known;
    const { nameProperty } = typeOf(logicalId, template);
    const given = nameProperty && template.Resources[logicalId]?.Properties[nameProperty];
    const resolved = given && resolveIntrinsics(given, references, `${logicalId}.${nameProperty}`);
    const name = typeof resolved === 'string' ? resolved : `${stackName}-${logicalId}`;
    const identity = { logicalId, name, aws };
    identities.set(logicalId, identity);
    return identity;
  };

  const references: References = {
    ref(name, where) {
      if (Object.hasOwn(pseudoParameters, name)) return pseudoParameters[name];
      if (Object.hasOwn(template.Resources, name)) return typeOf(name, template).ref(identityOf(name));
      const parameter = Object.hasOwn(template.Parameters, name) ? template.Parameters[name] : undefined;
      if (parameter?.Default !== undefined) return parameter.Default;
      throw new LocalRunError(`${where}: Ref names ${name}, for which the local run has no value`);
    },
    attribute(logicalId, name, where) {
      const type = Object.hasOwn(template.Resources, logicalId) ? typeOf(logicalId, template) : undefined;
      const attribute = type && Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
      if (attribute) return attribute(identityOf(logicalId));
      throw new LocalRunError(
        `${where}: Fn::GetAtt names ${logicalId}.${name}, which the local run does not support`,
      );
    },
  };
  return { references, identityOf };
}

const pseudoParametersOf = (stackName: string, aws: AwsEnvironment): Record<string, unknown> => ({
  'AWS::AccountId': aws.accountId,
  'AWS::NoValue': NO_VALUE,
  'AWS::Partition': 'aws',
  'AWS::Region': aws.region,
  'AWS::StackId': `arn:aws:cloudformation:${aws.region}:${aws.accountId}:stack/${stackName}/local`,
  'AWS::StackName': stackName,
  'AWS::URLSuffix': 'amazonaws.com',
});

function validate({ properties: schema }: ResourceType, properties: unknown, what: string): unknown {
  if (!schema) return properties;
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => {
    const path = issue.path.join('.');
    return issue.code === 'unrecognized_keys'
      ? `the local run does not support the property ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
      : `${path}: ${issue.message}`;
  });
  throw new LocalRunError(`${what}: ${errors.join('; ')}`);
}

/**
 * Replaces API URLs that the template builds from the API's id. Like `ApiEndpoint`, they become the loopback
 * URL.
 */
function loopbackUrls(template: Template, identityOf: IdentityOf, aws: AwsEnvironment) {
  const hosts = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api')
    .map(([logicalId]) => `https://${apiId(identityOf(logicalId))}.execute-api.${aws.region}.amazonaws.com`);
  const rewrite = (value: unknown): unknown => {
    if (typeof value === 'string')
      return hosts.reduce((text, host) => text.replaceAll(host, aws.apiUrl), value);
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item)]));
  };
  return rewrite;
}
