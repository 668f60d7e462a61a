import { createHash, createHmac } from 'node:crypto';

/** A request as a server has received it. */
export interface SignedRequest {
  method: string;
  /** Path and query, as they are on the wire. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/** Each part is encoded once more, and empty parts are left out. */
function canonicalPath(path: string): string {
  const parts = path.split('/').filter(Boolean).map(encoded);
  return `/${parts.join('/')}${parts.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

/**
 * Whether a request has the signature that its secret makes, by the rules of version 4 and nothing of the
 * project: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function hasSignature({ method, url, headers, body }: SignedRequest, secret: string): boolean {
  const [, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\w{64})$/.exec(
      String(headers.authorization),
    ) ?? [];
  if (scope === undefined || names === undefined) return false;
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&').filter(Boolean);
  const canonical = [
    method,
    canonicalPath(path),
    pairs
      .map((pair) =>
        pair
          .split('=')
          .map((part) => encoded(decodeURIComponent(part)))
          .join('='),
      )
      .toSorted()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'] ?? sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  const isWhole =
    headers['x-amz-content-sha256'] === undefined || headers['x-amz-content-sha256'] === sha256(body);
  return isWhole && hmac(key, text).toString('hex') === signature;
}
