import { createHash, createHmac } from 'node:crypto';

import { readManifest } from '../../../../lambdas/core/platform/read-manifest';

const NOW_MS = Date.parse('2027-01-04T02:30:00Z');
const MANIFEST_URL = 'https://s3.eu-central-1.amazonaws.com/cdk-assets-111122223333/a1b2+c (3).json';
const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret of the function',
  sessionToken: 'token',
};

/** Reads a manifest from an S3 that answers so. */
async function read(url: string, answer: () => Response) {
  const requests: Request[] = [];
  const fetch = async (...[given, options]: Parameters<typeof globalThis.fetch>) => {
    requests.push(new Request(given, options));
    return answer();
  };
  const credentials = async () => CREDENTIALS;
  const outcome = await readManifest(url, { nowMs: NOW_MS, fetch, credentials }).catch(
    (error: unknown) => error,
  );
  return { outcome, requests };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What S3 expects of such a request, by the documentation of Signature Version 4. */
function signatureOf({ url, headers }: Request): string {
  const names = /SignedHeaders=([^,]+)/.exec(headers.get('authorization')!)![1]!;
  const lines = names
    .split(';')
    .map((name) => `${name}:${name === 'host' ? new URL(url).host : headers.get(name)}\n`);
  const canonical = ['GET', new URL(url).pathname, '', lines.join(''), names, sha256('')].join('\n');
  const scope = '20270104/eu-central-1/s3/aws4_request';
  const text = ['AWS4-HMAC-SHA256', '20270104T023000Z', scope, sha256(canonical)].join('\n');
  const key = ['20270104', 'eu-central-1', 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${CREDENTIALS.secretAccessKey}`,
  );
  return hmac(key, text).toString('hex');
}

test('the text of the object is returned, for a request that S3 takes as one of the function', async () => {
  const { outcome, requests } = await read(MANIFEST_URL, () => new Response('{"jobs":[]}'));
  expect(outcome).toBe('{"jobs":[]}');
  expect(requests).toHaveLength(1);
  const [request] = requests;
  expect(request!.headers.get('authorization')).toContain('Credential=AKIDEXAMPLE/20270104/eu-central-1/s3/');
  expect(request!.headers.get('x-amz-security-token')).toBe('token');
  expect(request!.headers.get('authorization')).toContain(`Signature=${signatureOf(request!)}`);
});

test('what S3 says against it is the error', async () => {
  const { outcome } = await read(
    MANIFEST_URL,
    () => new Response('<Code>AccessDenied</Code>', { status: 403 }),
  );
  expect(outcome).toEqual(
    new Error(`S3 answered 403 for the manifest ${MANIFEST_URL}: <Code>AccessDenied</Code>`),
  );
});

test.each([
  'http://s3.eu-central-1.amazonaws.com/bucket/a.json',
  'https://s3.eu-central-1.amazonaws.com.evil.example/bucket/a.json',
  'https://evil.example/https://s3.eu-central-1.amazonaws.com/',
  'https://user@s3.eu-central-1.amazonaws.com/bucket/a.json',
  'https://bucket.s3.eu-central-1.amazonaws.com/a.json',
])('no other host gets a signature: %s', async (url) => {
  const { outcome, requests } = await read(url, () => new Response('{}'));
  expect([outcome, requests]).toEqual([new Error(`the manifest is not in S3: ${url}`), []]);
});
