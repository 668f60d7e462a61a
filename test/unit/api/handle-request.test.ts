import { OPERATIONS } from '../../../lambdas/api/operations';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { WriteTimeoutError } from '../../../lambdas/core/errors';
import { ApiWorld } from './world';

describe('the routes', () => {
  it('have exactly one implementation each', () => {
    const routed = ROUTES.map(({ operation }) => operation);
    expect(Object.keys(OPERATIONS).sort()).toEqual([...routed].sort());
    expect(new Set(Object.values(OPERATIONS)).size).toBe(routed.length);
    expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(routed.length);
  });
});

describe('an error', () => {
  const failingWith = async (error: Error, routeKey = 'GET /v1/jobs/{jobId}') => {
    const world = new ApiWorld();
    world.deps.jobs.get = () => Promise.reject(error);
    return { world, answered: await world.call(routeKey, { jobId: 'a' }) };
  };

  it('is a 500 without internal details, logged with its cause and the request', async () => {
    const error = new Error('table arn:aws:dynamodb:secret is on fire');
    const { world, answered } = await failingWith(error);
    expect(answered.status).toBe(500);
    expect(answered.headers['content-type']).toBe('application/problem+json');
    expect(JSON.stringify(answered)).not.toMatch(/fire|secret|Error:|\.ts/);
    expect(answered.body.instance).toBe('urn:quarterjack:request:request-1');
    expect(world.log.lines).toEqual([
      {
        level: 'error',
        message: 'request failed',
        cause: error,
        fields: { operation: 'getJob', requestId: 'request-1' },
      },
    ]);
  });

  it.each([
    Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' }),
    Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
    Object.assign(new Error('no answer'), { name: 'TimeoutError' }),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('oops'), { $metadata: { httpStatusCode: 500 } }),
    new WriteTimeoutError('too late'),
  ])('is a 503 with Retry-After if the store does not respond: %s', async (error) => {
    const { world, answered } = await failingWith(error, 'DELETE /v1/jobs/{jobId}');
    expect(answered).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(world.log.lines).toMatchObject([{ level: 'error', cause: error }]);
  });

  it('is not logged if the client can correct it', async () => {
    const world = new ApiWorld();
    expect((await world.get('none')).status).toBe(404);
    expect((await world.create({ name: '' })).status).toBe(400);
    expect(world.log.lines).toEqual([]);
  });
});
