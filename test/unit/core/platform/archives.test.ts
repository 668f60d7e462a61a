import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { folderArchive } from '../../../../lambdas/core/platform/folder-archive';
import { s3Archive } from '../../../../lambdas/core/platform/s3-archive';
import { FakeClock } from '../../../support/fake-clock';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
const NAME = "ends/project=a%20b/day=2026-12-01/it's.jsonl.gz";
const BODY = Buffer.from('lines');

/** Puts an object into an S3 that answers so. */
async function put(answer: () => Response, region = 'eu-central-1') {
  const requests: { url: string; headers: Headers; method: string; body: Buffer }[] = [];
  const archive = s3Archive('s3://history/jobs/', {
    clock: new FakeClock(),
    region: async () => region,
    credentials: async () => CREDENTIALS,
    fetch: async (url, { headers, method, body } = {}) => {
      requests.push({
        url: url as string,
        headers: new Headers(headers),
        method: method!,
        body: Buffer.from(body as Uint8Array),
      });
      return answer();
    },
  });
  const outcome = await archive.put(NAME, BODY).catch((error: unknown) => error);
  return { outcome, requests };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** What S3 expects of such a request, by the documentation of Signature Version 4. */
function signatureOf(path: string, headers: Headers, host: string): string {
  const authorization = headers.get('authorization')!;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)![1]!;
  const [, scope = ''] = /Credential=AKIDEXAMPLE\/([^,]+)/.exec(authorization)!;
  const lines = names.split(';').map((name) => `${name}:${name === 'host' ? host : headers.get(name)}\n`);
  const canonical = ['PUT', path, '', lines.join(''), names, sha256(BODY)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`);
  return hmac(key, text).toString('hex');
}

test('an object goes into the bucket, by a request that S3 takes as one of the function', async () => {
  const { outcome, requests } = await put(() => new Response());
  expect(outcome).toBeUndefined();
  const [{ url, headers, method, body }] = requests as [(typeof requests)[0]];
  const path = '/history/jobs/ends/project%3Da%2520b/day%3D2026-12-01/it%27s.jsonl.gz';
  expect([method, url, body]).toEqual(['PUT', `https://s3.eu-central-1.amazonaws.com${path}`, BODY]);
  const signature = signatureOf(path, headers, 's3.eu-central-1.amazonaws.com');
  expect(headers.get('authorization')).toContain(`Signature=${signature}`);
});

test('an answer that is none of success is an error with what S3 says', async () => {
  const { outcome } = await put(() => new Response('<Code>AccessDenied</Code>', { status: 403 }));
  expect(String(outcome)).toBe(
    `Error: S3 answered 403 for s3://history/jobs/${NAME}: <Code>AccessDenied</Code>`,
  );
});

test('the regions of China have a domain of their own', async () => {
  const { requests } = await put(() => new Response(), 'cn-north-1');
  expect(requests[0]!.url).toContain('https://s3.cn-north-1.amazonaws.com.cn/history/');
});

test('in a folder, a file is written once it is whole, and again by the same name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const archive = folderArchive(`${pathToFileURL(folder).href}/`);
  await archive.put('ends/day=2026-12-01/a.jsonl.gz', Buffer.from('first'));
  await archive.put('ends/day=2026-12-01/a.jsonl.gz', BODY);
  expect(readdirSync(join(folder, 'ends/day=2026-12-01'))).toEqual(['a.jsonl.gz']);
  expect(readFileSync(join(folder, 'ends/day=2026-12-01/a.jsonl.gz'), 'utf8')).toBe('lines');
});
