import * as z from 'zod';

import { type Identity, ignored, generatedId, nameOf, type ResourceType } from '../resource-type';

export const apiId = generatedId(10);
const resourceId = generatedId(7);

/** CORS is not supported, and so not listed: browsers do not call the API from other origins yet. */
export const ApiProperties = z.strictObject({
  Name: z.string(),
  ProtocolType: z.literal('HTTP'),
  Description: ignored,
  DisableExecuteApiEndpoint: z.literal(false).optional(),
  Tags: ignored,
});

export const StageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.string(),
  AutoDeploy: z.literal(true),
  StageVariables: z.record(z.string(), z.string()).optional(),
  // The local run has no throttling and no access log.
  AccessLogSettings: ignored,
  DefaultRouteSettings: ignored,
  Description: ignored,
  RouteSettings: ignored,
  Tags: ignored,
});

export const RouteProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().regex(/^integrations\//, 'expected integrations/<id>'),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']).default('NONE'),
  AuthorizerId: z.string().optional(),
  ApiKeyRequired: z.literal(false).optional(),
  OperationName: ignored,
});

export const IntegrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  IntegrationMethod: z.string().optional(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z.coerce.number().int().min(50).max(30_000).default(30_000),
  CredentialsArn: ignored,
  Description: ignored,
});

export const AuthorizerProperties = z.strictObject({
  ApiId: z.string(),
  Name: z.string(),
  AuthorizerType: z.literal('REQUEST'),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  AuthorizerResultTtlInSeconds: z.coerce.number().int().min(0).max(3_600),
  AuthorizerUri: z.string(),
  EnableSimpleResponses: z.literal(true),
  /** More than one, or none, would make another key of the cache. */
  IdentitySource: z.tuple([
    z.string().regex(/^\$request\.header\.[\w-]+$/, 'expected $request.header.<name>'),
  ]),
});

const part = (properties: z.ZodType): ResourceType => ({ ref: resourceId, attributes: {}, properties });

export const API_GATEWAY_TYPES: Record<string, ResourceType> = {
  'AWS::ApiGatewayV2::Api': {
    ref: apiId,
    attributes: { ApiEndpoint: ({ aws }: Identity) => aws.apiUrl, ApiId: apiId },
    properties: ApiProperties,
  },
  'AWS::ApiGatewayV2::Stage': {
    nameProperty: 'StageName',
    ref: nameOf,
    attributes: {},
    properties: StageProperties,
  },
  'AWS::ApiGatewayV2::Route': part(RouteProperties),
  'AWS::ApiGatewayV2::Integration': part(IntegrationProperties),
  'AWS::ApiGatewayV2::Authorizer': {
    ...part(AuthorizerProperties),
    attributes: { AuthorizerId: resourceId },
  },
  // Requests reach the local run by its own address.
  'AWS::ApiGatewayV2::DomainName': {
    nameProperty: 'DomainName',
    ref: nameOf,
    attributes: { RegionalDomainName: nameOf, RegionalHostedZoneId: nameOf },
  },
  'AWS::ApiGatewayV2::ApiMapping': { ref: resourceId, attributes: {} },
};
