import { type HttpEvent, noSuchRoute, requestOf, resultOf } from '../../../../lambdas/api/http/http-event';

const event = (overrides: Partial<HttpEvent> = {}): HttpEvent => ({
  routeKey: 'GET /v1/jobs/{jobId}',
  requestContext: {
    requestId: 'r',
    authorizer: { jwt: { claims: { sub: 'alice', scope: 'jobs:read openid' } } },
  },
  ...overrides,
});

describe('a request from API Gateway', () => {
  it('has its route, and user and scopes from the token alone', () => {
    const request = requestOf(
      event({
        headers: { 'X-User': 'mallory' },
        rawQueryString: 'sub=mallory',
        body: '{"userId":"mallory"}',
      }),
    );
    expect(request).toMatchObject({ route: { operation: 'getJob' }, project: 'alice', requestId: 'r' });
    expect([...request!.scopes]).toEqual(['jobs:read', 'openid']);
  });

  it.each([undefined, null, 7, ['alice'], { a: 1 }])('has no user if the claim sub is %j', (sub) => {
    const authorizer = { jwt: { claims: { sub, scope: ['jobs:read'] } } };
    const request = requestOf(event({ requestContext: { requestId: 'r', authorizer } }))!;
    expect(request.project).toBe('');
    expect(request.scopes.size).toBe(0);
  });

  const withClaims = (claims: Record<string, unknown>) =>
    requestOf(event({ requestContext: { requestId: 'r', authorizer: { jwt: { claims } } } }))!;

  it.each(['[alice bob]', '[alice]', '[a\nb c]', '[]', 'quarterjack-canary', 'quarterjack-', '#usage'])(
    'has no user if the claim sub is the text %j',
    (sub) => {
      expect(withClaims({ sub }).project).toBe('');
    },
  );

  it.each(['[alice', 'alice]', 'a#b', 'quarterjack', 'my-quarterjack-canary', '7'])(
    'has the user %j',
    (sub) => {
      expect(withClaims({ sub }).project).toBe(sub);
    },
  );

  it('from a caller inside the deployment has the user that a token cannot name', () => {
    const internal = { sub: 'quarterjack-canary', scope: 'jobs:read' };
    const request = requestOf(event({ requestContext: { requestId: 'r', authorizer: { internal } } }))!;
    expect(request.project).toBe('quarterjack-canary');
    expect([...request.scopes]).toEqual(['jobs:read']);
  });

  it.each([
    ['[admin]', true],
    ['[x admin y]', true],
    ['[x,admin]', false],
    ['[admin,x]', false],
    ['[administrators]', false],
    ['admin', false],
    ['x admin', false],
    ['[[admin]]', false],
    ['[]', false],
    ['', false],
  ])('with the groups %j: is of an admin: %s', (groups, isAdmin) => {
    const { scopes } = withClaims({ sub: 'a', token_use: 'access', 'cognito:groups': groups });
    expect(scopes.has('admin')).toBe(isAdmin);
  });

  it('has the scope admin of any token, bare or of the resource server', () => {
    expect(withClaims({ sub: 'a', scope: 'jobs:read admin' }).scopes.has('admin')).toBe(true);
    expect(withClaims({ sub: 'a', scope: 'quarterjack/admin' }).scopes.has('admin')).toBe(true);
    expect(withClaims({ sub: 'a', scope: 'admin', token_use: 'id' }).scopes.size).toBe(0);
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

  it('is undefined for an unknown route', () => {
    expect(requestOf(event({ routeKey: '$default' }))).toBeUndefined();
    const result = noSuchRoute(event());
    expect(result).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': 'application/problem+json' },
    });
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
