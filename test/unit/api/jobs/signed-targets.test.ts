import { AWS_POLICY } from '../../../support/aws-policy';
import { aBody, ApiWorld } from '../world';

const signed = {
  alice: [{ service: 'execute-api', resources: ['arn:a'], hosts: ['api.shop.example'] }],
} as const;
const settings = {
  targetPolicy: 'public' as const,
  awsTargets: { ...AWS_POLICY, signed },
  pools: ['default'],
};
const AUTH = { type: 'aws', service: 'execute-api', region: 'eu-central-1' };
const HOST = 'https://abc.execute-api.eu-central-1.amazonaws.com/prod';

const created = (target: object, options: object = {}) =>
  new ApiWorld({ settings }).call(
    'POST /v1/jobs',
    {},
    { schedule: 'rate(1 hour)', target: { type: 'http', auth: AUTH, url: HOST, ...target } },
    options,
  );

test.each([HOST, 'https://api.shop.example/x'])('a job may have %s signed', async (url) => {
  const { status, body } = await created({ url });
  expect([status, body.target]).toMatchObject([201, { url, auth: AUTH }]);
});

test.each<[string, object, string, RegExp]>([
  ['a stranger', { url: 'https://strange.example/' }, 'target.auth', /must not sign for strange\.example/],
  [
    'another region',
    { auth: { ...AUTH, region: 'us-east-1' } },
    'target.auth',
    /it is no host of execute-api in us-east-1/,
  ],
  [
    'another service',
    { auth: { ...AUTH, service: 'es' } },
    'target.auth',
    /must not sign for es: the operator/,
  ],
  ['no such service', { auth: { ...AUTH, service: 'sts' } }, 'target.auth.service', /./],
  ['no region', { auth: { ...AUTH, region: 'x.evil' } }, 'target.auth.region', /must be a region/],
  ['a key', { auth: { ...AUTH, accessKeyId: 'AKIA' } }, 'target.auth.accessKeyId', /is not a known field/],
  ['a token', { headers: { Authorization: 'x' } }, 'target.auth', /must not stand beside/],
  ['a header of AWS', { headers: { 'X-Amz-Date': 'x' } }, 'target.headers.X-Amz-Date', /is set by/],
])('a job with %s is rejected', async (_, target, path, message) => {
  const { status, body } = await created(target);
  expect(status).toBe(400);
  expect(body.errors).toContainEqual({ path, message: expect.stringMatching(message) });
});

test('another project has nothing signed', async () => {
  expect((await created({}, { user: 'bob' })).status).toBe(400);
  expect(aBody().target).not.toHaveProperty('auth');
});
