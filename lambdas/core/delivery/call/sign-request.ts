import { SignatureV4 } from '@smithy/signature-v4';

import type { SignedService } from '../../contracts/target-resources';
import type { HttpTarget } from '../../domain/target';
import { Sha256 } from '../sha256';
import { uriEncoded } from '../uri-encoded';
import type { Credentials } from './assumed-roles';

/** Only what no gateway on the way changes. The body is signed by its hash. */
const SIGNED_HEADERS = 'content-type';

interface Signing {
  service: SignedService;
  region: string;
  credentials: Pick<Credentials, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;
  nowMs: number;
}

/**
 * A request with its signature of version 4. Its query is written as it is signed.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export async function signRequest(
  target: HttpTarget,
  { body, headers }: { body: Buffer; headers: Readonly<Record<string, string>> },
  { service, region, credentials, nowMs }: Signing,
): Promise<HttpTarget> {
  const url = new URL(target.url);
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  url.search = [...url.searchParams].map((pair) => pair.map(uriEncoded).join('=')).join('&');
  const given = { ...target.headers, ...headers };
  const contentType = Object.entries(given).findLast(([name]) => name.toLowerCase() === SIGNED_HEADERS);
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: true });
  const signed = await signer.sign(
    {
      method: target.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query,
      headers: { host: url.host, ...(contentType && { [SIGNED_HEADERS]: contentType[1] }) },
      body,
    },
    { signingDate: new Date(nowMs) },
  );
  const { host: _, [SIGNED_HEADERS]: _type, ...added } = signed.headers;
  return { ...target, url: url.href, headers: { ...target.headers, ...added } };
}
