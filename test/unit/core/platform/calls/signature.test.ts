import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import * as fc from 'fast-check';

import { requestSigner } from '../../../../../lambdas/core/platform/calls/signature';

const REGION = 'eu-central-1';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const value = fc.stringMatching(/^[!-~]{1,8}( {1,3}[!-~]{1,8})?$/);
const requests = fc.record({
  path: word.map((name) => `/${name}/`),
  headers: fc
    .dictionary(
      word.map((name) => `x-amz-meta-${name}`),
      value,
    )
    .map((given) => ({
      host: 'dynamodb.eu-central-1.amazonaws.com',
      ...given,
    })),
  body: fc.json(),
});
const credentials = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
  secretAccessKey: fc.stringMatching(/^[!-~]{1,40}$/),
  sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined }),
});
const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

async function signedBySdk(
  request: { path: string; headers: Record<string, string>; body: string },
  by: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  signingDate: Date,
): Promise<Record<string, string>> {
  const client = new DynamoDBClient({ region: REGION, credentials: by, applyChecksum: false } as object);
  const signer = await client.config.signer();
  const unsigned = new HttpRequest({ ...request, method: 'POST', hostname: request.headers.host });
  const { headers } = await signer.sign(unsigned, { signingDate });
  client.destroy();
  return headers;
}

test('each request is signed as the SDK signs it', async () => {
  const sign = requestSigner(REGION, 'dynamodb');
  await fc.assert(
    fc.asyncProperty(requests, credentials, instants, async (request, by, at) => {
      expect(sign(request, by, at.getTime())).toEqual(await signedBySdk(request, by, at));
    }),
    { numRuns: 60, seed: 21 },
  );
});

test('a new day and a new secret each have a key of their own', async () => {
  const sign = requestSigner(REGION, 'dynamodb');
  const request = { path: '/', headers: { host: 'h' }, body: '{}' };
  const [old, fresh] = ['old', 'fresh'].map((secretAccessKey) => ({ accessKeyId: 'AK', secretAccessKey }));
  const [evening, morning] = [new Date('2026-11-22T23:59:59Z'), new Date('2026-11-23T00:00:00Z')];
  const signings = [[old!, evening] as const, [old!, morning] as const, [fresh!, morning] as const];
  for (const [by, at] of signings) {
    expect(sign(request, by, at.getTime())).toEqual(await signedBySdk(request, by, at));
  }
});
