import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SignatureV4 } from '@smithy/signature-v4';

import { withTimeout } from '../async/with-timeout';
import { type Clock, SECOND_MS } from '../clock/clock';
import { Sha256 } from '../delivery/sha256';
import { uriEncoded } from '../delivery/uri-encoded';
import type { HistoryArchive } from '../store/history-archive';

const PUT_TIMEOUT_MS = 15 * SECOND_MS;
/** What S3 says of an error that is kept in the log. */
const MOST_CHARACTERS = 500;

interface S3Deps {
  clock: Clock;
  region: SecretsManagerClient['config']['region'];
  credentials: SecretsManagerClient['config']['credentials'];
  fetch: typeof globalThis.fetch;
}

/**
 * Objects in a bucket, below a prefix. By HTTP, without a client of S3: one request is all that is needed.
 *
 * @param to `s3://BUCKET/PREFIX`
 */
export function s3Archive(
  to: string,
  { clock, region: regionOf, credentials, fetch }: S3Deps,
): HistoryArchive {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/(.*)$/.exec(to) ?? [];
  return {
    async put(name, body) {
      const region = await regionOf();
      const hostname = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
      const signer = new SignatureV4({
        ...{ service: 's3', region, credentials, sha256: Sha256 },
        uriEscapePath: false, // S3 alone signs the path as it is sent
      });
      const path = `/${bucket}/${(prefix + name).split('/').map(uriEncoded).join('/')}`;
      const headers = { host: hostname, 'content-type': 'application/gzip' };
      const request = { method: 'PUT', protocol: 'https:', hostname, path, headers, body };
      const signed = await signer.sign(request, { signingDate: new Date(clock.nowMs()) });
      const put = async (signal: AbortSignal) => {
        const options = { method: 'PUT', headers: signed.headers, body: new Uint8Array(body), signal };
        const response = await fetch(`https://${hostname}${path}`, options);
        return { ok: response.ok, status: response.status, text: await response.text() };
      };
      const answer = await withTimeout(PUT_TIMEOUT_MS, put, clock);
      if (answer.ok) return;
      const said = answer.text.slice(0, MOST_CHARACTERS);
      throw new Error(`S3 answered ${answer.status} for s3://${bucket}/${prefix}${name}: ${said}`);
    },
  };
}
