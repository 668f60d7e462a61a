import { ofType, type Resource } from './synth';

type Resources = ReadonlyMap<string, Resource>;

interface Operation {
  readonly security?: readonly Record<string, unknown>[];
  readonly 'x-amazon-apigateway-integration': { readonly $ref: string };
}

interface Body {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
}

const bodyOf = (resources: Resources): Body => {
  const [[, api] = []] = ofType(new Map(resources), 'AWS::ApiGatewayV2::Api');
  return api!.Properties.Body as Body;
};

/** The logical id of the function that has the fixed name in a URI. */
function functionIn(uri: unknown, resources: Resources): string {
  const [, name] = /:function:([\w-]+)\/invocations"/.exec(JSON.stringify(uri)) ?? [];
  const named = ofType(new Map(resources), 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.FunctionName === name,
  );
  expect(named).toHaveLength(1);
  return named[0]![0];
}

/** The routes that API Gateway makes from the body of the API. `authorizers`: undefined if it asks none. */
export function routesOf(
  resources: Resources,
): { key: string; functionId: string; authorizers: string[] | undefined }[] {
  const { paths, components } = bodyOf(resources);
  const integrations = components['x-amazon-apigateway-integrations']!;
  for (const { uri: _, ...integration } of Object.values(integrations))
    expect(integration).toEqual({ type: 'AWS_PROXY', httpMethod: 'POST', payloadFormatVersion: '2.0' });
  return Object.entries(paths).flatMap(([path, { parameters = [], ...operations }]) => {
    const declared = (parameters as unknown as { name: string }[]).map(({ name }) => `{${name}}`);
    expect(declared).toEqual(path.match(/\{[^}]+\}/g) ?? []);
    return Object.entries(operations).map(([field, operation]) => {
      const name = operation['x-amazon-apigateway-integration'].$ref.split('/').at(-1)!;
      return {
        key: `${field === 'x-amazon-apigateway-any-method' ? 'ANY' : field.toUpperCase()} ${path}`,
        functionId: functionIn(integrations[name]!.uri, resources),
        authorizers: operation.security?.flatMap((one) => Object.keys(one)),
      };
    });
  });
}

/** The only authorizer of the body, with its function. */
export function authorizerOf(resources: Resources): Record<string, unknown> & { functionId: string } {
  const schemes = bodyOf(resources).components.securitySchemes!;
  expect(Object.keys(schemes)).toEqual(['authorizer']);
  const { 'x-amazon-apigateway-authorizer': authorizer, ...scheme } = schemes.authorizer!;
  expect(scheme).toEqual({ type: 'apiKey', name: 'Authorization', in: 'header' });
  const { authorizerUri, ...others } = authorizer as Record<string, unknown>;
  return { ...others, functionId: functionIn(authorizerUri, resources) };
}
