import type * as z from 'zod';

import { LocalRunError } from '../run/errors';
import type { Template } from './assembly';
import { NO_VALUE, type References, resolveIntrinsics } from './intrinsics';
import type { Identity, Place, ResourceType } from './resource-type';
import { RESOURCE_TYPES } from './resource-types';
import { apiId } from './types/api-gateway';

/** A resource whose properties are checked and free of intrinsics. */
export interface Resource<Properties> extends Identity {
  type: string;
  ref: string;
  arn: string;
  properties: Properties;
}

export interface ResolvedTemplate {
  /** All resources of these types, in the template's order. `schema` is the one that their type names. */
  ofType<T extends z.ZodType>(schema: T, ...types: string[]): Resource<z.output<T>>[];
}

/**
 * Resolves every property of every resource. Throws a `LocalRunError` that names the first resource type, property,
 * attribute or intrinsic that the local run does not know.
 */
export function resolveTemplate(template: Template, stackName: string, place: Place): ResolvedTemplate {
  const typeOf = (logicalId: string): ResourceType => {
    const type = template.Resources[logicalId]?.Type ?? '';
    const known = RESOURCE_TYPES.get(type);
    if (!known)
      throw new LocalRunError(`${logicalId}: the local run does not know the resource type ${type}`);
    return known;
  };

  const identities = new Map<string, Identity>();
  const identityOf = (logicalId: string): Identity => {
    const known = identities.get(logicalId);
    if (known) return known;
    const { nameProperty } = typeOf(logicalId);
    const given = nameProperty && template.Resources[logicalId]?.Properties[nameProperty];
    const name = given ? resolveIntrinsics(given, references, `${logicalId}.${nameProperty}`) : undefined;
    const identity = {
      logicalId,
      name: typeof name === 'string' ? name : `${stackName}-${logicalId}`,
      place,
    };
    identities.set(logicalId, identity);
    return identity;
  };

  const pseudo: Record<string, unknown> = {
    'AWS::AccountId': place.accountId,
    'AWS::NoValue': NO_VALUE,
    'AWS::Partition': 'aws',
    'AWS::Region': place.region,
    'AWS::StackId': `arn:aws:cloudformation:${place.region}:${place.accountId}:stack/${stackName}/local`,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };

  const references: References = {
    ref(name, where) {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      if (Object.hasOwn(template.Resources, name)) return typeOf(name).ref(identityOf(name));
      const parameter = Object.hasOwn(template.Parameters, name) ? template.Parameters[name] : undefined;
      if (parameter?.Default !== undefined) return parameter.Default;
      throw new LocalRunError(`${where}: Ref names ${name}, which the local run has no value for`);
    },
    attribute(logicalId, name, where) {
      const type = Object.hasOwn(template.Resources, logicalId) ? typeOf(logicalId) : undefined;
      const attribute = type && Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
      if (attribute) return attribute(identityOf(logicalId));
      throw new LocalRunError(
        `${where}: Fn::GetAtt names ${logicalId}.${name}, which the local run does not know`,
      );
    },
  };

  const toLoopback = loopbackUrls(template, identityOf, place);
  const resources = Object.entries(template.Resources).map(([logicalId, { Type, Properties, Condition }]) => {
    if (Condition)
      throw new LocalRunError(
        `${logicalId}: it has the condition ${Condition}; the local run does not know conditions`,
      );
    const type = typeOf(logicalId);
    const identity = identityOf(logicalId);
    const properties = toLoopback(resolveIntrinsics(Properties, references, logicalId));
    return {
      ...identity,
      type: Type,
      ref: type.ref(identity),
      arn: type.attributes.Arn?.(identity) ?? type.ref(identity),
      properties: check(type, properties, `${logicalId} (${Type})`),
    };
  });

  return {
    ofType: <T extends z.ZodType>(_schema: T, ...types: string[]) =>
      resources.filter(({ type }) => types.includes(type)) as Resource<z.output<T>>[],
  };
}

function check({ properties: schema }: ResourceType, properties: unknown, what: string): unknown {
  if (!schema) return properties;
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const path = issue.path.join('.');
    return issue.code === 'unrecognized_keys'
      ? `the local run does not know the property ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
      : `${path}: ${issue.message}`;
  });
  throw new LocalRunError(`${what}: ${faults.join('; ')}`);
}

/** An API's URL may also be put together from its id; both spellings must lead to this machine. */
function loopbackUrls(template: Template, identityOf: (logicalId: string) => Identity, place: Place) {
  const hosts = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api')
    .map(
      ([logicalId]) => `https://${apiId(identityOf(logicalId))}.execute-api.${place.region}.amazonaws.com`,
    );
  const rewrite = (value: unknown): unknown => {
    if (typeof value === 'string')
      return hosts.reduce((text, host) => text.replaceAll(host, place.apiUrl), value);
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item)]));
  };
  return rewrite;
}
