import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { SignedCalls } from '../../../../../lambdas/core/contracts/target-resources';
import { callWithSecrets } from '../../../../../lambdas/core/delivery/call/call-with-secrets';
import { signRequest } from '../../../../../lambdas/core/delivery/call/sign-request';
import { signerFor } from '../../../../../lambdas/core/delivery/call/signed-target';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { aTarget } from '../../../../support/factories';
import { listenOnLoopback, type LoopbackServer } from '../../../../support/loopback-server';
import { noSecrets } from '../../../../support/surroundings';
import { hasSignature, type SignedRequest } from '../../../../support/verify-signature';

const NOW_MS = Date.UTC(2026, 10, 29, 12);
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const credentials = {
  ...{ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: 'session+token/of=shop' },
  expiration: new Date(NOW_MS + 3_600_000),
};
const ARN = 'arn:aws:execute-api:eu-central-1:111122223333:abc123/prod/POST/*';
const SIGNED: SignedCalls = { shop: [{ service: 'execute-api', resources: [ARN], hosts: ['127.0.0.1'] }] };
const auth = { type: 'aws', service: 'execute-api', region: 'eu-central-1' } as const;

let server: LoopbackServer;
let calls: SignedRequest[];
let answer: (headers: IncomingHttpHeaders) => { status: number; body: string };
beforeEach(async () => {
  calls = [];
  answer = () => ({ status: 200, body: 'ok' });
  server = await listenOnLoopback((request, response) => {
    void buffer(request).then((body) => {
      calls.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      const { status, body: text } = answer(request.headers);
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text);
    });
  });
});
afterEach(() => server.stop());

interface Given {
  project?: string;
  signed?: SignedCalls;
  asked?: unknown[];
}
const call = (target: Partial<HttpTarget>, { project = 'shop', signed = SIGNED, asked = [] }: Given = {}) =>
  callWithSecrets(
    aTarget({ url: `${server.url}/prod/pay`, auth, ...target }),
    {
      project,
      body: Buffer.from('{"amount":7}'),
      headers: { 'content-type': 'application/json', 'webhook-id': 'id-1', 'quarterjack-job': 'pay' },
    },
    new AbortController().signal,
    { policy: 'loopback', nowMs: () => NOW_MS },
    {
      ...noSecrets,
      signer: signerFor({ signed }, (of, rights) => {
        asked.push([of, rights]);
        return { id: of, credentials: async () => credentials };
      }),
    },
  );

test('the verifier knows a signature of the suite of AWS', () => {
  const request = {
    ...{ method: 'GET', url: '/', body: Buffer.alloc(0) },
    headers: {
      ...{ host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' },
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    },
  };
  expect(hasSignature(request, SECRET)).toBe(true);
  expect(hasSignature({ ...request, url: '/other' }, SECRET)).toBe(false);
  expect(hasSignature(request, 'another')).toBe(false);
});

describe('a receiver accepts the signature', () => {
  test.each([
    ['POST', '/prod/pay'],
    ['GET', '/'],
    ['PUT', '/a%20b/c+d/é?x=1'],
    ['DELETE', '/a//b?b=2&a=1&a=0&c'],
    ['PATCH', "/x?q=a+b%2Fc&k=%C3%A9!'()*~&=1"],
  ] as const)('of %s %s', async (method, path) => {
    expect(await call({ method, url: server.url + path })).toMatchObject({ outcome: 'succeeded' });
    const [received] = calls;
    expect(hasSignature(received!, SECRET)).toBe(true);
    expect(received!.headers).toMatchObject({
      'x-amz-date': '20261129T120000Z',
      'x-amz-security-token': credentials.sessionToken,
      'content-type': 'application/json',
      'webhook-id': 'id-1',
    });
    expect(received!.headers.authorization).toContain('/20261129/eu-central-1/execute-api/aws4_request');
    expect(hasSignature({ ...received!, body: Buffer.from('{"amount":8}') }, SECRET)).toBe(false);
    expect(hasSignature({ ...received!, url: '/elsewhere' }, SECRET)).toBe(false);
  });

  test('also beside headers of the job, and a header of its own for the type', async () => {
    await call({ headers: { 'X-Api-Key': 'k', 'Content-Type': 'text/plain' } });
    expect(hasSignature(calls[0]!, SECRET)).toBe(true);
    expect(calls[0]!.headers).toMatchObject({ 'x-api-key': 'k', 'content-type': 'application/json' });
  });
});

test('the session may call what the project may call of the service, and nothing else', async () => {
  const asked: unknown[] = [];
  const more = { service: 'execute-api', resources: ['arn:all'] } as const;
  const other = { service: 'lambda', resources: ['arn:function'] } as const;
  await call(
    {},
    { asked, signed: { ...SIGNED, '*': [more, other], bank: [{ ...more, resources: ['arn:bank'] }] } },
  );
  expect(asked).toEqual([['shop', [{ actions: ['execute-api:Invoke'], resources: [ARN, 'arn:all'] }]]]);
});

test.each<[string, Partial<HttpTarget>, Given]>([
  ['a stranger', { url: 'http://localhost:1/prod' }, {}],
  ['another service', { auth: { ...auth, service: 'es' } }, {}],
  ['a host of another project', {}, { project: 'other' }],
  ['nothing that is allowed', {}, { signed: {} }],
])('%s gets no signature, and no call', async (_, target, given) => {
  const asked: unknown[] = [];
  expect(await call(target, { ...given, asked })).toMatchObject({
    outcome: 'fatal',
    reason: 'blocked-target',
  });
  expect([calls, asked]).toEqual([[], []]);
});

test('a redirect is not followed', async () => {
  answer = () => ({ status: 302, body: '' });
  expect(await call({})).toMatchObject({ outcome: 'fatal', statusCode: 302 });
  expect(calls).toHaveLength(1);
});

test('what a target repeats of its credentials is not kept', async () => {
  answer = (headers) => ({ status: 400, body: `${JSON.stringify(headers)}\nsorry` });
  const { body = '' } = await call({});
  expect(body).toContain('sorry');
  expect(body).not.toContain(credentials.sessionToken);
  expect(body).not.toContain('Signature=');
});

test('credentials that cannot be had are tried again', async () => {
  const failing = signerFor({ signed: SIGNED }, () => ({
    id: 'x',
    credentials: () => Promise.reject(new Error('the role of the project cannot be assumed')),
  }));
  const result = await callWithSecrets(
    aTarget({ url: server.url, auth }),
    { project: 'shop', body: Buffer.alloc(0), headers: {} },
    new AbortController().signal,
    { policy: 'loopback', nowMs: () => NOW_MS },
    { ...noSecrets, signer: failing },
  );
  expect(result).toEqual({ outcome: 'retriable', error: 'the role of the project cannot be assumed' });
});

test('a signature depends on the second, the region and the service', async () => {
  const of = async (more: object) =>
    (
      await signRequest(
        aTarget({ url: 'https://a.execute-api.eu-central-1.amazonaws.com/' }),
        { body: Buffer.alloc(0), headers: {} },
        { service: 'execute-api', region: 'eu-central-1', credentials, nowMs: NOW_MS, ...more },
      )
    ).headers.authorization;
  const all = await Promise.all([
    of({}),
    of({}),
    of({ nowMs: NOW_MS + 1_000 }),
    of({ region: 'eu-west-1' }),
    of({ service: 'es' }),
  ]);
  expect(new Set(all).size).toBe(4);
});
