import { version } from '../../../../package.json';
import { noSuchRoute, requestOf, resultFor } from '../../../../lambdas/api/http/http-event';
import { handleRequest } from '../../../../lambdas/api/handle-request';
import { PROBLEM_KINDS } from '../../../../lambdas/core/http/problem-kinds';
import { ApiWorld } from '../world';

const world = () => new ApiWorld();

describe('GET /v1/version', () => {
  it('says the version and the API without a token, and nothing of the account or the build', async () => {
    const { deps } = world();
    deps.deployment.version = version;
    const event = {
      routeKey: 'ANY /v1/version',
      requestContext: { requestId: 'r1', http: { method: 'GET' } },
    };
    const { statusCode, body } = resultFor(event, await handleRequest(requestOf(event)!, deps));
    expect(statusCode).toBe(200);
    const said = JSON.parse(body!) as object;
    const features = expect.arrayContaining(['observe', 'payloadSchema', 'runKey']) as string[];
    expect(said).toEqual({ version, api: 'v1', features });
  });
});

describe('the type of a problem', () => {
  const get = async (path: string, domainName = 'jobs.example.com') => {
    const { pathname } = new URL(path, 'https://x');
    const kind = /^\/v1\/problems\/(.+)$/.exec(pathname)?.[1];
    const event = {
      routeKey: kind ? 'ANY /v1/problems/{kind}' : 'ANY /v1/jobs/{jobId}',
      pathParameters: kind ? { kind } : { jobId: 'a' },
      requestContext: { requestId: 'r1', http: { method: 'GET' }, domainName },
    };
    const result = resultFor(event, await handleRequest(requestOf(event)!, world().deps));
    return { ...result, json: JSON.parse(result.body!) as Record<string, unknown> };
  };

  it('is a URL that opens, and says what it means', async () => {
    const refused = await get('/v1/jobs/a');
    expect(refused.json.type).toBe('https://jobs.example.com/v1/problems/unauthorized');
    const opened = await get(refused.json.type as string);
    expect(opened.statusCode).toBe(200);
    expect(opened.json).toEqual({ kind: 'unauthorized', ...PROBLEM_KINDS.unauthorized });
  });

  it.each(['nope', 'constructor', '__proto__'])('%s is not found', async (kind) => {
    expect((await get(`/v1/problems/${kind}`)).statusCode).toBe(404);
  });
});

it('each answer says which request it is, also one without a route', async () => {
  const event = { routeKey: 'ANY /v1/health', requestContext: { requestId: 'r1', http: { method: 'GET' } } };
  const answers = [
    resultFor(event, await handleRequest(requestOf(event)!, world().deps)),
    noSuchRoute({ ...event, routeKey: 'ANY /v1/jobs' }),
    noSuchRoute({ ...event, routeKey: '$default' }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 405, 404]);
  for (const { headers } of answers) expect(headers['quarterjack-request-id']).toBe('r1');
});
