import { AWS_POLICY } from '../../../support/aws-policy';
import { problem, said } from '../problems';
import { aBody, paths, ApiWorld } from '../world';
import { BAD_DEFINITIONS } from './bad-definitions';

const OWN_TOKEN = { headers: { authorization: 'Bearer my.own.token' } };

describe('a bad definition is a 400 that names the field', () => {
  const world = new ApiWorld();

  it.each(BAD_DEFINITIONS)('POST /v1/jobs: %s', async (_what, body, path, word) => {
    expect(said(await world.create(body, OWN_TOKEN), path)).toEqual(problem(400, word));
  });

  it.each(BAD_DEFINITIONS)('PUT /v1/jobs/{jobId}: %s', async (_what, body, path, word) => {
    const answered = await world.call(
      'PUT /v1/jobs/{jobId}',
      { jobId: 'a' },
      { ...aBody(), ...body },
      OWN_TOKEN,
    );
    expect(said(answered, path)).toEqual(problem(400, word));
  });

  it('PATCH: the merged job is checked as a whole', async () => {
    await world.create({ jobId: 'whole' });
    const cases: [object, string][] = [
      [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts'],
      [{ target: { url: 'https://10.0.0.1/' } }, 'target.url'],
      [{ target: null }, 'target'],
      [{ schedule: { expression: 'x' } }, 'schedule.expression'],
      [{ schedule: { every: '5m' } }, 'schedule.every'],
      [{ createdAt: null }, 'createdAt'],
      [{ colour: null }, 'colour'],
      [{ jobId: 'other' }, 'jobId'],
      [{ targets: [] }, 'targets'],
      [{ pool: 'gpu' }, 'pool'],
    ];
    for (const [patch, path] of cases)
      expect(said(await world.patch('whole', patch), path)).toEqual(problem(400, /./));
    expect(said(await world.patch('whole', []), 'body')).toEqual(problem(400, /object/));
    expect(said(await world.patch('whole', undefined), 'body')).toEqual(problem(400, /required/));
  });

  it('all bad fields are named at once', async () => {
    const answered = await world.create({
      priority: 'x',
      retry: { maxAttempts: 0 },
      color: 1,
      timeout: '1x',
    });
    expect(paths(answered).sort()).toEqual(['color', 'priority', 'retry.maxAttempts', 'timeout']);
  });

  it('a payload of more than 64 KB as JSON is a 413', async () => {
    const fits = await world.call(
      'POST /v1/jobs/{jobId}/run',
      { jobId: 'none' },
      { payload: 'x'.repeat(65_534) },
    );
    expect(fits.status).toBe(404);
    expect(said(await world.create({ payload: 'x'.repeat(65_535) }), 'payload')).toEqual(
      problem(413, /65536/),
    );
    expect(said(await world.create({ payload: 'ü'.repeat(33_000) }), 'payload')).toEqual(
      problem(413, /65536/),
    );
    const body = { payload: 'x'.repeat(65_535) };
    expect(said(await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'none' }, body), 'payload')).toEqual(
      problem(413, /65536/),
    );
  });

  it('is neither stored nor logged', () => {
    expect(world.tables.rows('Jobs').map((row) => row.jobId)).toEqual(['whole']);
    expect(world.log.lines).toEqual([]);
  });
});

test('a host that the deployment does not allow is rejected on create and on change', async () => {
  const settings = {
    targetPolicy: 'public' as const,
    awsTargets: AWS_POLICY,
    allowedTargetHosts: ['*.example.org'],
    pools: ['default'],
  };
  const world = new ApiWorld({ settings });
  const fault = { path: 'target.url', message: expect.stringContaining('*.example.org') };
  const refused = await world.call('POST /v1/jobs', {}, { ...aBody(), jobId: 'a' });
  expect(refused).toMatchObject({ status: 400, body: { errors: [fault] } });
  const target = { ...aBody().target, url: 'https://hooks.example.org/' };
  expect((await world.call('POST /v1/jobs', {}, { ...aBody(), jobId: 'a', target })).status).toBe(201);
  const moved = await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, { target: aBody().target });
  expect(moved).toMatchObject({ status: 400, body: { errors: [fault] } });
});

describe('the URL of a target', () => {
  it.each([
    'https://sqs.eu-west-1.amazonaws.com/000000000000/queue',
    'https://dynamodb.us-east-1.amazonaws.com/',
    'https://abc.ddb.lambda.eu-central-1.amazonaws.com/',
    'https://sts.amazonaws.com/',
    'https://sqs.cn-north-1.amazonaws.com.cn/',
    'https://sqs-fips.us-east-1.amazonaws.com/',
    'https://dynamodb.us-east-1.api.aws/',
    'https://111122223333.ddb.eu-central-1.amazonaws.com/',
    'https://vpce-1-a.sqs.us-east-1.vpce.amazonaws.com/',
  ])('must not be an endpoint of AWS: %s', async (url) => {
    expect(paths(await new ApiWorld().create({ target: { type: 'http', url } }))).toEqual(['target.url']);
  });
});
