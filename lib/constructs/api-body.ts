import { PING_PATHS } from '../../lambdas/core/contracts/ping-routes';
import { CLAIM_PATH, isPublic, type Route, ROUTES } from '../../lambdas/core/contracts/routes';
import type { ApiFunction } from './deployment-name';

/** A function that routes lead to. */
export type RouteTarget = Exclude<ApiFunction, 'authorizer'>;

export interface ApiBodyProps {
  readonly title: string;
  readonly targets: readonly RouteTarget[];
  /** Origins of pages that may call the API. */
  readonly allowedOrigins: readonly string[];
  /** The URI by which API Gateway invokes a function. */
  readonly uriOf: (name: ApiFunction) => string;
}

/**
 * How long API Gateway uses a result of the authorizer, for the same `Authorization` header. A revoked key is
 * refused within a minute of the answer to its revocation: this time, and 15 s for what was under way.
 */
const AUTHORIZER_TTL_SEC = 45;

const AUTHORIZER = 'authorizer';
const ANY = 'x-amazon-apigateway-any-method';
const INTEGRATION = 'x-amazon-apigateway-integration';
const INTEGRATIONS = 'x-amazon-apigateway-integrations';

/** What pages of other origins may send and read. Credentials are tokens in a header, not cookies. */
const CORS = {
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    ...['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
    ...['quarterjack-note', 'quarterjack-project'],
  ],
  exposeHeaders: [
    ...['apigw-requestid', 'etag', 'idempotency-replayed', 'location', 'quarterjack-dry-run'],
    ...['quarterjack-request-id', 'retry-after'],
  ],
  maxAge: 3_600,
};

/** The greedy path also takes `/console/` itself. */
const CONSOLE_PATHS = ['/', '/console', '/console/{proxy+}'];

/**
 * The routes of the API with their integrations and authorizer, as an OpenAPI document with the extensions of
 * API Gateway. It is what API Gateway imports, and not the reference of the API, which the function serves.
 */
export function apiBody({ title, targets, allowedOrigins, uriOf }: ApiBodyProps): Record<string, unknown> {
  return {
    openapi: '3.0.1',
    info: { title, version: 'v1' },
    paths: {
      ...pathsOfTable(allowedOrigins.length > 0),
      ...pathsOfPings(),
      ...(targets.includes('console') && pathsOfConsole()),
    },
    ...(allowedOrigins.length > 0 && {
      'x-amazon-apigateway-cors': { allowOrigins: allowedOrigins, ...CORS },
    }),
    components: {
      securitySchemes: {
        [AUTHORIZER]: {
          ...{ type: 'apiKey', name: 'Authorization', in: 'header' },
          'x-amazon-apigateway-authorizer': {
            type: 'request',
            identitySource: '$request.header.Authorization',
            authorizerUri: uriOf('authorizer'),
            authorizerPayloadFormatVersion: '2.0',
            authorizerResultTtlInSeconds: AUTHORIZER_TTL_SEC,
            enableSimpleResponses: true,
          },
        },
      },
      [INTEGRATIONS]: Object.fromEntries(
        targets.map((name) => [
          name,
          { type: 'AWS_PROXY', httpMethod: 'POST', uri: uriOf(name), payloadFormatVersion: '2.0' },
        ]),
      ),
    },
  };
}

/**
 * One route for each path of the route table. It takes any method: HEAD is answered where GET is, and what a
 * path does not have is 405 in place of API Gateway's 404. All lead to the api function but the claims of
 * workers. A preflight has no token, so that OPTIONS is a route of its own where pages may call.
 */
const pathsOfTable = (forPages: boolean) =>
  Object.fromEntries(
    [...authOfPaths()].map(([path, auth]) => [
      path,
      {
        [ANY]: operation(path === CLAIM_PATH ? 'worker' : 'api', isPublic(auth)),
        ...(forPages && !isPublic(auth) && { options: operation('api', true) }),
        ...parametersOf(path),
      },
    ]),
  );

/** Any method, so that the function says which ones count. They have no authorizer: the key is the proof. */
const pathsOfPings = () =>
  Object.fromEntries(
    PING_PATHS.map((path) => [path, { [ANY]: operation('ping', true), ...parametersOf(path) }]),
  );

/** Files that are the same for all users, and contain no data of a user. */
const pathsOfConsole = () =>
  Object.fromEntries(
    CONSOLE_PATHS.map((path) => [
      path,
      { get: operation('console', true), head: operation('console', true), ...parametersOf(path) },
    ]),
  );

/** What each path asks for. Its methods may ask for different scopes, but all for a token, or none. */
function authOfPaths(): ReadonlyMap<string, Route['auth']> {
  const paths = new Map<string, Route['auth']>();
  for (const { method, path, auth } of ROUTES) {
    const known = paths.get(path);
    if (known !== undefined && isPublic(known) !== isPublic(auth))
      throw new Error(`${method} ${path} has no authorizer, and another method of that path has one`);
    paths.set(path, auth);
  }
  return paths;
}

const operation = (to: RouteTarget, open: boolean) => ({
  responses: { default: { description: 'The answer of the function' } },
  ...(!open && { security: [{ [AUTHORIZER]: [] }] }),
  [INTEGRATION]: { $ref: `#/components/${INTEGRATIONS}/${to}` },
});

/** OpenAPI wants each parameter of a path to be declared. */
function parametersOf(path: string) {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  };
}
