import { LocalRunError } from '../run/errors';
import type { FunctionFinder } from './find-function';
import type { ResolvedTemplate } from './resolve-template';
import type { AuthorizerSpec, HttpApiSpec, RouteSpec } from './stack';
import { ApiProperties, METHOD_OF, type Operation, StageProperties } from './types/api-gateway';

/** Reads the HTTP API of a stack from its body. Each route gets its integration and its authorizer. */
export function readHttpApi(template: ResolvedTemplate, functionArnOf: FunctionFinder): HttpApiSpec {
  const [api, ...otherApis] = template.ofType(ApiProperties, 'AWS::ApiGatewayV2::Api');
  const [stage, ...otherStages] = template.ofType(StageProperties, 'AWS::ApiGatewayV2::Stage');
  if (!api || !stage || otherApis.length > 0 || otherStages.length > 0)
    throw new LocalRunError('the local run supports only a stack with one HTTP API that has one stage');

  const { paths, components, 'x-amazon-apigateway-cors': cors } = api.properties.Body;
  const integrations = mapped(components['x-amazon-apigateway-integrations'], (integration) => ({
    functionArn: functionArnOf(integration.uri, api.logicalId),
    timeoutMs: integration.timeoutInMillis,
  }));
  const authorizers = mapped(components.securitySchemes, (scheme, id): AuthorizerSpec => {
    const authorizer = scheme['x-amazon-apigateway-authorizer'];
    return {
      id,
      functionArn: functionArnOf(authorizer.authorizerUri, api.logicalId),
      header: authorizer.identitySource.replace('$request.header.', '').toLowerCase(),
      ttlSec: authorizer.authorizerResultTtlInSeconds,
    };
  });

  const routeOf = (routeKey: string, operation: Operation): RouteSpec => {
    const find = <Part>(parts: ReadonlyMap<string, Part>, name: string): Part => {
      const part = parts.get(name);
      if (part === undefined)
        throw new LocalRunError(`${api.logicalId}: ${routeKey} names ${name}, which its body does not have`);
      return part;
    };
    const [scheme] = Object.keys(operation.security?.[0] ?? {});
    return {
      ...find(integrations, operation['x-amazon-apigateway-integration']),
      routeKey,
      authorizer: scheme === undefined ? undefined : find(authorizers, scheme),
    };
  };
  return {
    id: api.ref,
    stage: stage.properties.StageName,
    cors,
    routes: Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(METHOD_OF).flatMap(([field, method]) => {
        const operation = item[field as keyof typeof METHOD_OF];
        return operation ? [routeOf(`${method} ${path}`, operation)] : [];
      }),
    ),
  };
}

const mapped = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  of: (value: Value, name: string) => Result,
): ReadonlyMap<string, Result> =>
  new Map(Object.entries(values).map(([name, value]) => [name, of(value, name)]));
