import { routeMatcher } from '../../../../local/sources/http-routes';

const KEYS = [
  'ANY /v1/jobs/{jobId}',
  'GET /v1/jobs/{jobId}',
  'POST /v1/jobs/batch',
  'GET /v1/jobs',
  'GET /v1/jobs/{jobId}/executions/{execId}',
  'ANY /files/{path+}',
  'GET /files/special',
];
const matcher = (keys: string[]) =>
  routeMatcher(
    keys.map((routeKey) => ({ routeKey, functionArn: 'f', timeoutMs: 1, authorizer: undefined, scopes: [] })),
  );

test.each([
  ['GET', '/v1/jobs', 'GET /v1/jobs', {}],
  ['GET', '/v1/jobs/a', 'GET /v1/jobs/{jobId}', { jobId: 'a' }],
  ['DELETE', '/v1/jobs/a', 'ANY /v1/jobs/{jobId}', { jobId: 'a' }],
  ['POST', '/v1/jobs/batch', 'POST /v1/jobs/batch', {}],
  ['GET', '/v1/jobs/batch', 'GET /v1/jobs/{jobId}', { jobId: 'batch' }],
  ['GET', '/v1/jobs/a/executions/b', 'GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId: 'b' }],
  ['GET', '/files/special', 'GET /files/special', {}],
  ['GET', '/files/a/b/c', 'ANY /files/{path+}', { path: 'a/b/c' }],
  ['GET', '/files/', 'ANY /files/{path+}', { path: '' }],
])('%s %s matches %s', (method, path, routeKey, pathParameters) => {
  expect(matcher(KEYS)(method, path)).toMatchObject({ route: { routeKey }, pathParameters });
});

test.each([
  ['POST', '/v1/jobs'],
  ['GET', '/v1/jobs/'],
  ['GET', '/v1/jobs/a/executions'],
  ['GET', '/v1/jobs/a/executions/b/c'],
  ['GET', '/files'],
  ['GET', '/'],
])('%s %s matches no route', (method, path) => expect(matcher(KEYS)(method, path)).toBeUndefined());

test('$default matches all other requests', () => {
  expect(matcher([...KEYS, '$default'])('POST', '/other')).toMatchObject({
    route: { routeKey: '$default' },
  });
});
