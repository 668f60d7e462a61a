import * as z from 'zod';

import { type Identity, ignored, generatedId, nameOf, type ResourceType } from '../resource-type';

export const apiId = generatedId(10);
const resourceId = generatedId(7);

const INTEGRATIONS = 'x-amazon-apigateway-integrations';
const referenceTo = (place: string) =>
  z
    .strictObject({ $ref: z.string().startsWith(`#/components/${place}/`) })
    .transform(({ $ref }) => $ref.split('/')[3]!);

const Operation = z.strictObject({
  responses: ignored,
  /** The authorizer's scheme; a Lambda authorizer has no scopes. */
  security: z.tuple([z.record(z.string(), z.tuple([]))]).optional(),
  'x-amazon-apigateway-integration': referenceTo(INTEGRATIONS),
});
export type Operation = z.output<typeof Operation>;

/** The method of a route, by the field of its operation. */
export const METHOD_OF = {
  ...{ get: 'GET', head: 'HEAD', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' },
  ...{ options: 'OPTIONS', 'x-amazon-apigateway-any-method': 'ANY' },
} as const;

const PathItem = z.strictObject({
  parameters: ignored,
  get: Operation.optional(),
  head: Operation.optional(),
  post: Operation.optional(),
  put: Operation.optional(),
  patch: Operation.optional(),
  delete: Operation.optional(),
  options: Operation.optional(),
  'x-amazon-apigateway-any-method': Operation.optional(),
});

const Integration = z.strictObject({
  type: z.literal('AWS_PROXY'),
  httpMethod: z.literal('POST'),
  uri: z.string(),
  payloadFormatVersion: z.literal('2.0'),
  timeoutInMillis: z.coerce.number().int().min(50).max(30_000).default(30_000),
});

const SecurityScheme = z.strictObject({
  type: z.literal('apiKey'),
  name: z.string(),
  in: z.literal('header'),
  'x-amazon-apigateway-authorizer': z.strictObject({
    type: z.literal('request'),
    authorizerUri: z.string(),
    authorizerPayloadFormatVersion: z.literal('2.0'),
    authorizerResultTtlInSeconds: z.coerce.number().int().min(0).max(3_600),
    enableSimpleResponses: z.literal(true),
    /** More than one, or none, would make another key of the cache. */
    identitySource: z.string().regex(/^\$request\.header\.[\w-]+$/, 'expected $request.header.<name>'),
  }),
});

const Cors = z.strictObject({
  /** Wildcards are not supported. */
  allowOrigins: z.array(z.string().regex(/^https?:\/\/[^*]+$/, 'expected an origin without *')),
  allowMethods: z.array(z.string()),
  allowHeaders: z.array(z.string()),
  exposeHeaders: z.array(z.string()),
  maxAge: z.number().int(),
});
export type Cors = z.output<typeof Cors>;

/** The parts of OpenAPI, and of API Gateway's extensions, that the local run serves. */
const Body = z.strictObject({
  openapi: z.literal('3.0.1'),
  info: z.strictObject({ title: z.string(), version: z.string() }),
  tags: ignored,
  paths: z.record(z.string(), PathItem),
  'x-amazon-apigateway-cors': Cors.optional(),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), SecurityScheme).default({}),
    [INTEGRATIONS]: z.record(z.string(), Integration),
  }),
});

export const ApiProperties = z.strictObject({ Body, FailOnWarnings: ignored });

export const DeploymentProperties = z.strictObject({ ApiId: z.string() });

export const StageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.string(),
  /** The local run serves the body as it is at start. */
  AutoDeploy: z.literal(false).optional(),
  DeploymentId: z.string(),
  StageVariables: z.record(z.string(), z.string()).optional(),
  // The local run has no throttling and no access log.
  AccessLogSettings: ignored,
  DefaultRouteSettings: ignored,
  Description: ignored,
  RouteSettings: ignored,
  Tags: ignored,
});

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
  'AWS::ApiGatewayV2::Deployment': { ref: resourceId, attributes: {}, properties: DeploymentProperties },
  // Requests reach the local run by its own address.
  'AWS::ApiGatewayV2::DomainName': {
    nameProperty: 'DomainName',
    ref: nameOf,
    attributes: { RegionalDomainName: nameOf, RegionalHostedZoneId: nameOf },
  },
  'AWS::ApiGatewayV2::ApiMapping': { ref: resourceId, attributes: {} },
};
