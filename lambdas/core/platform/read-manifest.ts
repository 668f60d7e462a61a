import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SignatureV4 } from '@smithy/signature-v4';

import { Sha256 } from '../delivery/sha256';

/** No other host gets a signature of this function. */
const S3 = /^https:\/\/s3\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\//;

interface ReadDeps {
  nowMs: number;
  fetch: typeof globalThis.fetch;
  /** Those of the function. */
  credentials?: SecretsManagerClient['config']['credentials'];
}

/** The text of an object in S3. Throws an Error with what S3 said. */
export async function readManifest(
  url: string,
  { nowMs, fetch, credentials = new SecretsManagerClient().config.credentials }: ReadDeps,
): Promise<string> {
  const [, region] = S3.exec(url) ?? [];
  if (region === undefined) throw new Error(`the manifest is not in S3: ${url}`);
  const { protocol, hostname, pathname } = new URL(url);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false, // S3 alone signs the path as it is sent
  });
  const request = { method: 'GET', protocol, hostname, path: pathname, headers: { host: hostname } };
  const { headers } = await signer.sign(request, { signingDate: new Date(nowMs) });
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`S3 answered ${response.status} for the manifest ${url}: ${text}`);
  return text;
}
