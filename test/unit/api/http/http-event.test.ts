import { contextOf } from '../../../../lambdas/core/domain/identity-context';
import { identityOf } from '../../../support/caller';
import {
  type HttpEvent,
  noSuchRoute,
  requestOf,
  resultFor,
  resultOf,
} from '../../../../lambdas/api/http/http-event';

const alice = identityOf('alice', ['jobs:read']);
const event = (overrides: Partial<HttpEvent> = {}): HttpEvent => ({
  routeKey: 'GET /v1/jobs/{jobId}',
  requestContext: { requestId: 'r', authorizer: { lambda: contextOf(alice) } },
  ...overrides,
});

describe('a request from API Gateway', () => {
  it('has its route, and its caller from the authorizer alone', () => {
    const request = requestOf(
      event({
        headers: { 'X-User': 'mallory' },
        rawQueryString: 'sub=mallory',
        body: '{"userId":"mallory"}',
      }),
    );
    expect(request).toMatchObject({ route: { operation: 'getJob' }, requestId: 'r' });
    expect(request!.caller).toEqual({ via: 'authorizer', verification: alice });
  });

  it('says when the gateway received it', () => {
    const { requestContext } = event();
    const request = requestOf(event({ requestContext: { ...requestContext, timeEpoch: 1_796_112_000_000 } }));
    expect(request!.receivedAtMs).toBe(1_796_112_000_000);
  });

  it.each([
    undefined,
    {},
    { sub: 'alice' },
    { ...contextOf(alice), kind: 'system' },
    { ...contextOf(alice), projects: 'alice:king' },
    { ...contextOf(alice), expiresAt: 'never' },
  ])('has no caller if the authorizer says %j', (lambda) => {
    const request = requestOf(event({ requestContext: { requestId: 'r', authorizer: { lambda } } }))!;
    expect(request.caller).toBeUndefined();
  });

  it('has a caller inside the deployment, which no authorizer can name', () => {
    const internal = identityOf('quarterjack-canary', ['jobs:read']);
    const request = requestOf(event({ requestContext: { requestId: 'r', authorizer: { internal } } }))!;
    expect(request.caller).toEqual({ via: 'system', identity: internal });
    const lambda = { ...contextOf(alice), internal, via: 'system' };
    const forged = requestOf(event({ requestContext: { requestId: 'r', authorizer: { lambda } } }))!;
    expect(forged.caller).toEqual({ via: 'authorizer', verification: alice });
  });

  it('keeps repeated query parameters apart, also with commas', () => {
    const { query } = requestOf(event({ rawQueryString: 'tag=a%3Ab%2Cc&tag=d:e+f&limit=5&empty=' }))!;
    expect([...query]).toEqual([
      ['tag', ['a:b,c', 'd:e f']],
      ['limit', ['5']],
      ['empty', ['']],
    ]);
  });

  it('decodes path parameters that API Gateway did not, and keeps invalid encodings', () => {
    const idOf = (jobId: string) => requestOf(event({ pathParameters: { jobId } }))!.params.jobId;
    expect([idOf('a%2Db'), idOf('a-b'), idOf('%zz')]).toEqual(['a-b', 'a-b', '%zz']);
  });

  it('has the bytes of a base64 body', () => {
    const { body } = requestOf(
      event({ body: Buffer.from([0xff]).toString('base64'), isBase64Encoded: true }),
    )!;
    expect(body).toEqual(Buffer.from([0xff]));
  });

  it('has the origin that the client called', () => {
    const originOf = (requestContext: object, headers = {}) =>
      requestOf(event({ headers, requestContext: { requestId: 'r', ...requestContext } }))!.origin;
    expect(originOf({ domainName: 'jobs.example.com' })).toBe('https://jobs.example.com');
    expect(originOf({ domainName: '127.0.0.1:8787' }, { 'x-forwarded-proto': 'http' })).toBe(
      'http://127.0.0.1:8787',
    );
    expect(originOf({})).toBeUndefined();
  });

  it('is undefined for an unknown route', () => {
    expect(requestOf(event({ routeKey: '$default' }))).toBeUndefined();
    const result = noSuchRoute(event({ routeKey: '$default' }));
    expect(result).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': 'application/problem+json' },
    });
  });
});

describe('a request by a route of any method', () => {
  const by = (method: string, path = '/v1/jobs/{jobId}') =>
    event({ routeKey: `ANY ${path}`, requestContext: { requestId: 'r', http: { method } } });

  it.each([
    ['GET', 'getJob'],
    ['HEAD', 'getJob'],
    ['PUT', 'putJob'],
    ['DELETE', 'deleteJob'],
  ])('%s is the operation %s', (method, operation) => {
    expect(requestOf(by(method))?.route.operation).toBe(operation);
  });

  it.each([
    ['POST', '/v1/jobs/{jobId}', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['PUT', '/v1/health', 'GET, HEAD'],
    ['HEAD', '/v1/attempts/heartbeat', 'POST'],
  ])('%s of %s is 405, and names the methods that are allowed', (method, path, allow) => {
    expect(requestOf(by(method, path))).toBeUndefined();
    const { statusCode, headers } = noSuchRoute(by(method, path));
    expect([statusCode, headers['allow']]).toEqual([405, allow]);
  });

  it('OPTIONS asks for the methods of a path, and of no other path', () => {
    const { statusCode, headers, body } = noSuchRoute(by('OPTIONS', '/v1/health'));
    expect([statusCode, headers['allow'], body]).toEqual([204, 'GET, HEAD', undefined]);
    expect(noSuchRoute(by('OPTIONS', '/nowhere')).statusCode).toBe(404);
  });

  it('has no body in the response to HEAD', () => {
    const response = { status: 200, headers: { etag: '"e"' }, body: { a: 1 } };
    const { body, ...ofGet } = resultFor(by('GET'), response);
    expect(body).toBe('{"a":1}');
    expect(resultFor(by('HEAD'), response)).toEqual(ofGet);
  });
});

describe('a response to API Gateway', () => {
  it('is JSON that must not be cached, unless its headers allow it', () => {
    expect(resultOf({ status: 200, headers: { etag: '"e"' }, body: { a: 1 } })).toEqual({
      statusCode: 200,
      headers: {
        'cache-control': 'no-store',
        'content-type': 'application/json',
        etag: '"e"',
        'x-content-type-options': 'nosniff',
      },
      body: '{"a":1}',
    });
    expect(resultOf({ status: 204 })).not.toHaveProperty('body');
  });
});
