import { LocalRunError } from '../run/errors';
import type { FunctionFinder } from './find-function';
import type { ResolvedTemplate } from './resolve-template';
import type { AuthorizerSpec, HttpApiSpec } from './stack';
import {
  ApiProperties,
  AuthorizerProperties,
  IntegrationProperties,
  RouteProperties,
  StageProperties,
} from './types/api-gateway';

/** Reads the HTTP API of a stack. Each route gets its integration and its authorizer. */
export function readHttpApi(template: ResolvedTemplate, functionArnOf: FunctionFinder): HttpApiSpec {
  const [api, ...otherApis] = template.ofType(ApiProperties, 'AWS::ApiGatewayV2::Api');
  const [stage, ...otherStages] = template.ofType(StageProperties, 'AWS::ApiGatewayV2::Stage');
  if (!api || !stage || otherApis.length > 0 || otherStages.length > 0)
    throw new LocalRunError('the local run supports only a stack with one HTTP API that has one stage');

  const integrations = new Map(
    template
      .ofType(IntegrationProperties, 'AWS::ApiGatewayV2::Integration')
      .map(({ logicalId, ref, properties }) => [
        `integrations/${ref}`,
        {
          functionArn: functionArnOf(properties.IntegrationUri, logicalId),
          timeoutMs: properties.TimeoutInMillis,
        },
      ]),
  );
  const authorizers = new Map(
    template
      .ofType(AuthorizerProperties, 'AWS::ApiGatewayV2::Authorizer')
      .map(({ logicalId, ref, properties }): [string, AuthorizerSpec] => [
        ref,
        {
          id: ref,
          functionArn: functionArnOf(properties.AuthorizerUri, logicalId),
          header: properties.IdentitySource[0].replace('$request.header.', '').toLowerCase(),
          ttlSec: properties.AuthorizerResultTtlInSeconds,
        },
      ]),
  );

  return {
    id: api.ref,
    stage: stage.properties.StageName,
    routes: template
      .ofType(RouteProperties, 'AWS::ApiGatewayV2::Route')
      .map(({ logicalId, properties: route }) => {
        const integration = integrations.get(route.Target);
        if (!integration)
          throw new LocalRunError(`${logicalId}: its target ${route.Target} is not in the stack`);
        const authorizer = authorizers.get(route.AuthorizerId ?? '');
        const isOpen = route.AuthorizationType === 'NONE';
        if (!isOpen && !authorizer)
          throw new LocalRunError(`${logicalId}: its authorizer is not in the stack`);
        return {
          ...integration,
          routeKey: route.RouteKey,
          authorizer: isOpen ? undefined : authorizer,
        };
      }),
  };
}
