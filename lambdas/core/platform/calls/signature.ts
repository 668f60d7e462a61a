import { createHmac, hash } from 'node:crypto';

export interface SigningCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** A POST without a query, before it is signed. */
export interface UnsignedRequest {
  path: string;
  /** With names in lower case. All of them are signed. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Signs requests of one client by AWS Signature Version 4, as the SDK's signer does. The key depends on the
 * day and the secret alone, so it is derived once for both, not for each request.
 */
export function requestSigner(region: string, service: string) {
  let cached: { day: string; secret: string; key: Buffer } | undefined;

  function signingKey(day: string, secret: string): Buffer {
    if (cached?.day !== day || cached.secret !== secret) {
      const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
      cached = { day, secret, key: key as Buffer };
    }
    return cached.key;
  }

  /** The headers with those of the signature. @param atMs the time by the service's clock */
  return (
    request: UnsignedRequest,
    credentials: SigningCredentials,
    atMs: number,
  ): Record<string, string> => {
    const time = new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const headers: Record<string, string> = { ...request.headers, 'x-amz-date': time };
    if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken;

    const names = Object.keys(headers).sort();
    const signedNames = names.join(';');
    const lines = names.map((name) => `${name}:${headers[name]!.trim().replace(/\s+/g, ' ')}\n`).join('');
    const canonical = `POST\n${request.path}\n\n${lines}\n${signedNames}\n${sha256(request.body)}`;
    const scope = `${day}/${region}/${service}/aws4_request`;
    const signature = hmac(
      signingKey(day, credentials.secretAccessKey),
      `${ALGORITHM}\n${time}\n${scope}\n${sha256(canonical)}`,
    ).toString('hex');
    headers.authorization =
      `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, ` +
      `SignedHeaders=${signedNames}, Signature=${signature}`;
    return headers;
  };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => hash('sha256', text, 'hex');
