import { routesOf } from './api-body';
import { consoleFunctionId, ofType, resourcesOf, targetOf } from './synth';
import { inEachDeployment, resourcesOfSize, SIZES } from './maximal';
import { listOf, statementsOf } from './statements';

const resources = resourcesOf();
const consoleFunction = (of: typeof resources) => of.get(consoleFunctionId(of)!)!.Properties;
const signInOf = (of: typeof resources): string =>
  JSON.stringify(consoleFunction(of).Environment.Variables.SIGN_IN);

const certificateArn =
  'arn:aws:acm:eu-central-1:111122223333:certificate/11111111-2222-3333-4444-555555555555';
/** A page at either address signs in and comes back to itself. */
const SIGN_IN_AGAIN = ['IdentityUserPoolConsoleClient', 'ConsoleFunction'];
/** What names the URL that AWS gave. */
const placesOf = (of: typeof resources): string[] =>
  [...of]
    .filter(([, one]) => JSON.stringify(one.Properties).includes('"ApiEndpoint"'))
    .map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));

inEachDeployment(({ config, resources: all }) => {
  const id = consoleFunctionId(all);
  const routes = routesOf(all).filter(({ key }) => /^(GET|HEAD) \/(console.*)?$/.test(key));

  test('there is one if the configuration says so, at six routes', () => {
    expect([id !== undefined, routes.length]).toEqual(config.console ? [true, 6] : [false, 0]);
  });

  if (id === undefined) return;
  const { Role, LoggingConfig, MemorySize, Timeout } = all.get(id)!.Properties;

  test('its function may only write its own log', () => {
    const statements = statementsOf(all, targetOf(Role));
    expect(statements.flatMap(({ Action }) => listOf(Action)).toSorted()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    for (const { Resource } of statements) expect(targetOf(Resource)).toBe(targetOf(LoggingConfig.LogGroup));
    expect([MemorySize, Timeout]).toEqual([128, 5]);
    expect(all.get(targetOf(Role))?.Properties).not.toHaveProperty('ManagedPolicyArns');
  });

  test('its address is the domain of the operator, if there is one, and its client comes back to it', () => {
    const signIn = JSON.stringify(all.get(id)!.Properties.Environment.Variables.SIGN_IN);
    const address = config.domain ? `https://${config.domain.name}/console/` : 'ApiEndpoint';
    expect(signIn).toContain(address);
    const clients = ofType(all, 'AWS::Cognito::UserPoolClient').filter(([one]) =>
      one.includes('ConsoleClient'),
    );
    expect(clients).toHaveLength(config.issuer === undefined ? 1 : 0);
    for (const [, { Properties }] of clients) {
      expect(JSON.stringify(Properties.CallbackURLs)).toContain(address);
      expect(Properties.LogoutURLs).toEqual(Properties.CallbackURLs);
      expect(Properties.RefreshTokenRotation).toMatchObject({ Feature: 'ENABLED' });
    }
  });
});

test('people sign in to it with a client of its own, whose refresh tokens are good once', () => {
  const [, [clientId, client] = []] = ofType(resources, 'AWS::Cognito::UserPoolClient');
  const { CallbackURLs, LogoutURLs, RefreshTokenRotation } = client!.Properties;
  expect(JSON.stringify(CallbackURLs)).toContain('/console/');
  expect(LogoutURLs).toEqual(CallbackURLs);
  expect(RefreshTokenRotation).toMatchObject({ Feature: 'ENABLED' });
  expect(signInOf(resources)).toContain(clientId);
  expect(signInOf(resources)).toContain('/logout');
});

test('with an issuer of its own, a deployment has a console if it says how to sign in', () => {
  const issuer = { issuer: 'https://login.example.com', audience: 'jobs' };
  const endpoints = {
    clientId: 'cli',
    authorizationEndpoint: 'https://login.example.com/authorize',
    tokenEndpoint: 'https://login.example.com/token',
    scopes: ['openid'],
  };
  expect(consoleFunctionId(resourcesOf(issuer))).toBeUndefined();
  expect(signInOf(resourcesOf({ ...issuer, signIn: endpoints }))).toContain('cli');
  const own = { ...endpoints, consoleClientId: 'browser' };
  expect(signInOf(resourcesOf({ ...issuer, signIn: own }))).toContain('browser');
});

test('it can be left out, and then nothing of it is deployed', () => {
  const without = resourcesOf({ console: 'false' });
  expect([...without.keys()].filter((id) => id.startsWith('Console'))).toEqual([]);
  expect(ofType(without, 'AWS::Cognito::UserPoolClient')).toHaveLength(1);
});

test('a domain of the operator serves API and console, and every URL has its name', () => {
  const own = resourcesOf({ domain: { name: 'jobs.example.com', certificateArn } });
  const [[, domain] = []] = ofType(own, 'AWS::ApiGatewayV2::DomainName');
  expect(domain?.Properties).toMatchObject({
    DomainName: 'jobs.example.com',
    DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
  });
  expect(ofType(own, 'AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
  const [, [, client] = []] = ofType(own, 'AWS::Cognito::UserPoolClient');
  const [ofDomain, ofAws] = client!.Properties.CallbackURLs as unknown[];
  expect(ofDomain).toBe('https://jobs.example.com/console/');
  expect(JSON.stringify(ofAws)).toContain('ApiEndpoint');
  // Nothing else names what AWS gave: a link there would end at a page that the sign-in does not know.
  expect(placesOf(own)).toEqual([...SIGN_IN_AGAIN]);
});

test('a domain that is not in use yet has all but the names: its DNS record comes first', () => {
  const own = resourcesOf({ domain: { name: 'jobs.example.com', certificateArn, inUse: false } });
  expect(ofType(own, 'AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
  const named = [...own].filter(([, one]) =>
    JSON.stringify(one.Properties).includes('https://jobs.example.com'),
  );
  expect(named.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(SIGN_IN_AGAIN);
});

test.each(SIZES)('the %s deployment gives the name of its domain alone', (_name, config) => {
  const of = resourcesOfSize(config);
  if (config.domain) expect(placesOf(of).filter((id) => !SIGN_IN_AGAIN.includes(id))).toEqual([]);
  else expect(placesOf(of)).not.toEqual([]);
});

test.each([
  [{ name: 'Jobs.example.com', certificateArn: 'x' }, /domain\.name.*domain\.certificateArn/s],
  [{ name: 'jobs.example.com' }, /domain\.certificateArn/],
])('a domain %j is rejected with the field', (domain, message) => {
  expect(() => resourcesOf({ domain })).toThrow(message);
});
