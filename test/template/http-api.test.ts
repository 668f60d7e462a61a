import { PROJECT_SCOPES } from '../../lambdas/core/contracts/roles';
import { MONITORS_PATH, PING_PATHS } from '../../lambdas/core/contracts/ping-routes';
import { ROUTES } from '../../lambdas/core/contracts/routes';
import { openApiDocument } from '../../lambdas/core/http/openapi/document';
import { longestOf } from '../../lib/limits/longest';
import { authorizerOf, routesOf } from './api-body';
import { inEachDeployment, resourcesOfSize, SIZES } from './maximal';
import { consoleFunctionId, functionOf, ofType, resourcesOf, targetOf, variablesOf } from './synth';

const resources = resourcesOf();
const authorizerVariables = (of: typeof resources): Record<string, unknown> =>
  variablesOf(of, functionOf(of, 'authorizer')[1]);

const CONSOLE = ['/', '/console', '/console/{proxy+}'].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
const OPEN: readonly string[] = ['none', 'attempt', 'ping-key'];

/** What the route table and the console ask for. */
const expectedRoutes = (console: boolean) => {
  const auths = new Map(ROUTES.map(({ path, auth }) => [path, auth]));
  const ofTable = [...auths].map(([path, auth]) => ({
    key: `ANY ${path}`,
    to: path === '/v1/work/claim' ? 'worker' : 'api',
    isOpen: OPEN.includes(auth),
  }));
  const ofPings = PING_PATHS.map((path) => ({ key: `ANY ${path}`, to: 'ping', isOpen: true }));
  return [
    ...ofTable,
    ...ofPings,
    ...(console ? CONSOLE.map((key) => ({ key, to: 'console', isOpen: true })) : []),
  ];
};

inEachDeployment(({ config, resources }) => {
  const routes = routesOf(resources);

  test('the API has one route for each path of the route table, and those of the console', () => {
    const actual = routes.map(({ key, functionId, authorizers }) => ({
      key,
      to:
        (['api', 'worker', 'ping'] as const).find((name) => functionOf(resources, name)[0] === functionId) ??
        (functionId === consoleFunctionId(resources) ? 'console' : functionId),
      isOpen: authorizers === undefined,
    }));
    const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);
    expect(actual.toSorted(byKey)).toEqual(expectedRoutes(config.console).toSorted(byKey));
    for (const { authorizers } of routes) expect([undefined, ['authorizer']]).toContainEqual(authorizers);
  });

  test('no resource adds to the routes of the body, which API Gateway does not support', () => {
    const types = [...resources.values()].map(({ Type }) => Type);
    expect(new Set(types.filter((type) => type.startsWith('AWS::ApiGatewayV2::')))).toEqual(
      new Set([
        ...['Api', 'Deployment', 'Stage', ...(config.domain ? ['DomainName', 'ApiMapping'] : [])].map(
          (type) => `AWS::ApiGatewayV2::${type}`,
        ),
      ]),
    );
  });

  test('only API Gateway may invoke the functions, for this API and its authorizer alone', () => {
    const permissions = ofType(resources, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(SourceArn)).toContain('{"Ref":"HttpApi');
    }
    const [apiId] = functionOf(resources, 'api');
    const [workerId] = functionOf(resources, 'worker');
    const [pingId] = functionOf(resources, 'ping');
    const [authorizerFunctionId] = functionOf(resources, 'authorizer');
    const ofConsole = consoleFunctionId(resources);
    expect(permissions.map(({ FunctionName }) => targetOf(FunctionName)).toSorted()).toEqual(
      [
        apiId,
        workerId,
        pingId,
        authorizerFunctionId,
        ...(ofConsole === undefined ? [] : [ofConsole]),
      ].toSorted(),
    );
    for (const { FunctionName, SourceArn } of permissions)
      expect(JSON.stringify(SourceArn)).toMatch(
        targetOf(FunctionName) === authorizerFunctionId ? /"\/authorizers\/\*"/ : /"\/\*\/\*\/\*"/,
      );
  });

  describe('each request', () => {
    test('is let in by the authorizer, which decides by the Authorization header, and its results count for 45 seconds', () => {
      const { functionId, ...authorizer } = authorizerOf(resources);
      expect(functionId).toBe(functionOf(resources, 'authorizer')[0]);
      expect(authorizer).toEqual({
        type: 'request',
        authorizerPayloadFormatVersion: '2.0',
        authorizerResultTtlInSeconds: 45,
        enableSimpleResponses: true,
        identitySource: '$request.header.Authorization',
      });
    });

    test('is throttled and logged, without paths and queries', () => {
      const [[, stage] = []] = ofType(resources, 'AWS::ApiGatewayV2::Stage');
      const ofPings = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
      expect(stage!.Properties.RouteSettings).toEqual({
        ...Object.fromEntries(PING_PATHS.map((path) => [`ANY ${path}`, ofPings])),
        [`ANY ${MONITORS_PATH}`]: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
      });
      const keys = new Set(routesOf(resources).map(({ key }) => key));
      for (const route of Object.keys(stage!.Properties.RouteSettings)) expect(keys).toContain(route);
      expect(stage!.Properties.DefaultRouteSettings).toEqual({
        ThrottlingRateLimit: config.requestsPerSec,
        ThrottlingBurstLimit: config.requestBurst,
      });
      const { DestinationArn, Format } = stage!.Properties.AccessLogSettings;
      expect(resources.get(targetOf(DestinationArn))?.Type).toBe('AWS::Logs::LogGroup');
      expect(JSON.parse(Format)).toMatchObject({
        ...{ route: '$context.routeKey', status: '$context.status' },
        problem: '$context.authorizer.problem', // a 401 has a reason
      });
      expect(Format).not.toMatch(/context\.(path|rawPath|queryString)/);
    });
  });
});

describe('pages of other origins', () => {
  const bodyOf = (of: typeof resources) => ofType(of, 'AWS::ApiGatewayV2::Api')[0]![1].Properties.Body;
  const allowedOrigins = ['https://shop.example.com', 'http://localhost:5173'];
  const allowing = resourcesOf({ allowedOrigins });
  const cors = bodyOf(allowing)['x-amazon-apigateway-cors'];

  test('may not call the API by default', () => {
    expect(bodyOf(resources)).not.toHaveProperty('x-amazon-apigateway-cors');
    expect(routesOf(resources).filter(({ key }) => key.startsWith('OPTIONS'))).toEqual([]);
  });

  test('that the configuration lists may, with a preflight that needs no token', () => {
    expect(cors).toMatchObject({ allowOrigins: allowedOrigins });
    expect(cors).not.toHaveProperty('allowCredentials');
    const routes = routesOf(allowing);
    const keysOf = (method: string, isOpen: boolean) =>
      routes
        .filter(({ key, authorizers }) => key.startsWith(method) && (authorizers === undefined) === isOpen)
        .map(({ key }) => key.split(' ')[1]);
    expect(keysOf('OPTIONS', false)).toEqual([]);
    expect(keysOf('OPTIONS', true)).toEqual(keysOf('ANY', false));
  });

  test('may send and read each header that the document of the API names', () => {
    const document = JSON.parse(JSON.stringify(openApiDocument())) as {
      paths: Record<string, Record<string, { parameters?: unknown; responses: unknown }>>;
    };
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const sent = JSON.stringify(operations.map(({ parameters }) => parameters));
    const headers = [...sent.matchAll(/"name":"([\w-]+)","in":"header"|"in":"header","name":"([\w-]+)"/g)];
    const names = headers.map(([, first, second]) => (first ?? second)!.toLowerCase());
    expect(cors.allowHeaders).toEqual([...new Set([...names, 'authorization', 'content-type'])].sort());
    const received = operations.flatMap(({ responses }) =>
      Object.values(responses as Record<string, { headers?: object }>).flatMap(({ headers = {} }) =>
        Object.keys(headers).map((name) => name.toLowerCase()),
      ),
    );
    expect(cors.exposeHeaders).toEqual(
      [...new Set([...received, 'apigw-requestid', 'quarterjack-request-id'])].sort(),
    );
  });
});

describe('the stage', () => {
  const deploymentOf = (of: typeof resources): string => {
    const [[, stage] = []] = ofType(of, 'AWS::ApiGatewayV2::Stage');
    const id = targetOf(stage!.Properties.DeploymentId);
    expect(of.get(id)).toMatchObject({ Type: 'AWS::ApiGatewayV2::Deployment' });
    expect(stage!.Properties.AutoDeploy).toBe(false);
    return id;
  };

  test('serves a snapshot of the routes, and another one when they change', () => {
    expect(deploymentOf(resourcesOf({ requestBurst: 77 }))).toBe(deploymentOf(resources));
    expect(deploymentOf(resourcesOf({ console: false }))).not.toBe(deploymentOf(resources));
  });
});

describe('tokens', () => {
  test('come from a user pool of the stack by default, and only for its clients', () => {
    const variables = authorizerVariables(resources);
    const [[poolId] = []] = ofType(resources, 'AWS::Cognito::UserPool');
    const [[clientId, client] = [], [consoleClientId] = []] = ofType(
      resources,
      'AWS::Cognito::UserPoolClient',
    );
    expect(variables.ISSUER).toEqual({ 'Fn::GetAtt': [poolId, 'ProviderURL'] });
    expect(variables.AUDIENCE).toEqual({
      'Fn::Join': ['', ['["', { Ref: clientId }, '","', { Ref: consoleClientId }, '"]']],
    });
    expect(variables).toMatchObject({ JWKS_URI: '', PROJECTS: '{"from":"sub"}' });
    const scopes = JSON.stringify(client?.Properties.AllowedOAuthScopes);
    for (const scope of PROJECT_SCOPES) expect(scopes).toContain(`/${scope}"`);
    expect(scopes).not.toContain('/admin');
    expect(client?.Properties.AllowedOAuthFlows).toEqual(['code']);
  });

  test('come from the sign-in page alone, and are renewed for half a day', () => {
    const [[, client] = []] = ofType(resources, 'AWS::Cognito::UserPoolClient');
    expect(client?.Properties).toMatchObject({
      ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      AccessTokenValidity: 60,
      RefreshTokenValidity: 720,
      TokenValidityUnits: { AccessToken: 'minutes', RefreshToken: 'minutes' },
      EnableTokenRevocation: true,
    });
  });

  test('come from a user pool where only the operator creates users, with a second factor', () => {
    const [[, pool] = []] = ofType(resources, 'AWS::Cognito::UserPool');
    expect(pool?.Properties.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
    expect(pool?.Properties.MfaConfiguration).toBe('ON');
  });

  test('of programs come from clients with a secret, each for one project in one role', () => {
    const machineClients = {
      ci: { project: 'shop', role: 'editor' },
      'front-desk': { project: 'a/b', role: 'approver' },
    };
    const own = resourcesOf({ machineClients });
    const clients = ofType(own, 'AWS::Cognito::UserPoolClient').filter(([id]) =>
      id.startsWith('IdentityMachine'),
    );
    expect(clients).toHaveLength(2);
    for (const [id, { Properties }] of clients) {
      expect(Properties).toMatchObject({ GenerateSecret: true, AllowedOAuthFlows: ['client_credentials'] });
      expect(JSON.stringify(authorizerVariables(own).AUDIENCE)).toContain(id);
      expect(JSON.stringify(authorizerVariables(own).MACHINE_CLIENT_IDS)).toContain(id);
    }
    const scopes = clients.map(([, { Properties }]) => JSON.stringify(Properties.AllowedOAuthScopes));
    expect(scopes[0]).toContain('/jobs:write');
    expect(scopes[0]).not.toContain('/runs:approve'); // a person's decision
    expect(scopes[1]).toContain('/runs:approve');
    expect(JSON.parse(String(authorizerVariables(own).MACHINE_CLIENTS))).toEqual([
      { name: 'ci', project: 'shop', role: 'editor' },
      { name: 'front-desk', project: 'a/b', role: 'approver' },
    ]);
  });

  test('of programs of a configured issuer are known by the ids that they have there', () => {
    const machineClients = {
      ci: { project: 'shop', role: 'viewer' },
      b: { project: 'b', role: 'owner', clientId: 'x1' },
    };
    const own = resourcesOf({ issuer: 'https://login.example.com', audience: 'jobs', machineClients });
    expect(JSON.parse(String(authorizerVariables(own).MACHINE_CLIENTS))).toEqual([
      { name: 'ci', project: 'shop', role: 'viewer' },
      { name: 'b', project: 'b', role: 'owner' },
    ]);
    expect(authorizerVariables(own).MACHINE_CLIENT_IDS).toBe('["ci","x1"]');
  });

  test('come from the configured issuer if there is one, and no user pool is created', () => {
    const own = resourcesOf({
      issuer: 'https://login.example.com',
      audience: 'jobs',
      jwksUri: 'https://login.example.com/keys',
      projects: '{"from":"groups","groupsClaim":"roles"}',
    });
    expect(authorizerVariables(own)).toMatchObject({
      ISSUER: 'https://login.example.com',
      AUDIENCE: '["jobs"]',
      JWKS_URI: 'https://login.example.com/keys',
      PROJECTS: '{"from":"groups","groupsClaim":"roles"}',
    });
    expect([...own.values()].filter(({ Type }) => Type.startsWith('AWS::Cognito::'))).toEqual([]);
  });
});

test.each(SIZES)('lists that Cognito returns sorted are sorted in the %s deployment', (_name, config) => {
  const all = resourcesOfSize(config);
  const within = { stackName: 'Quarterjack-dev', resources: all };
  for (const [id, { Type, Properties }] of all) {
    if (!Type.startsWith('AWS::Cognito::UserPool')) continue;
    const { AllowedOAuthScopes = [], Scopes = [], CallbackURLs = [], ExplicitAuthFlows = [] } = Properties;
    const names = Scopes.map(({ ScopeName }: { ScopeName: string }) => ScopeName);
    // The id of the API is known at deployment alone, and so is the place of its URL.
    const urls = CallbackURLs.filter((url: unknown) => typeof url === 'string');
    for (const list of [longestOf(AllowedOAuthScopes, within), names, urls, ExplicitAuthFlows])
      expect([id, list]).toEqual([id, [...(list as string[])].sort()]);
  }
  expect(ofType(all, 'AWS::Cognito::UserPoolClient').length > 0).toBe(config.issuer === undefined);
});

test('the API and its access log carry the name of the stack, and every resource that may its tag', () => {
  const own = resourcesOf();
  const [, api] = ofType(own, 'AWS::ApiGatewayV2::Api')[0]!;
  expect(api.Properties.Body).toMatchObject({
    info: { title: 'Quarterjack-dev' },
    tags: [{ name: 'quarterjack:deployment', 'x-amazon-apigateway-tag-value': 'Quarterjack-dev' }],
  });
  const names = ofType(own, 'AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.LogGroupName);
  expect(names).toContain('/aws/vendedlogs/Quarterjack-dev-Access');
  for (const type of ['AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::CloudWatch::Alarm'])
    for (const [, { Properties }] of ofType(own, type))
      expect(Properties.Tags).toContainEqual({ Key: 'quarterjack:deployment', Value: 'Quarterjack-dev' });
});
