import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

import type { PemContent } from '../../domain/secret';

/** A text is no PEM of certificates or a private key. The message never repeats any of it. */
export class PemError extends Error {
  override readonly name = 'PemError';
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]*?-----END \1-----/g;
const KEYS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];
/** OpenSSL writes it before an EC key. */
const IGNORED = 'EC PARAMETERS';

/**
 * What a text in PEM has (RFC 7468): certificates, a private key without a password, or both. The key is then
 * that of the first certificate. Throws `PemError`.
 */
export function pemContentOf(text: string): PemContent {
  const certificates: X509Certificate[] = [];
  const keys: KeyObject[] = [];
  for (const [block, label = ''] of text.matchAll(BLOCK)) {
    if (label === 'CERTIFICATE') certificates.push(certificateIn(block));
    else if (KEYS.includes(label)) keys.push(keyIn(block));
    else if (label === 'ENCRYPTED PRIVATE KEY') throw new PemError(ENCRYPTED);
    else if (label !== IGNORED)
      throw new PemError(`must not have a block ${JSON.stringify(label)}: ${EXPECTED}`);
  }
  const [key, ...more] = keys;
  if (certificates.length === 0 && !key) throw new PemError(EXPECTED);
  if (more.length > 0) throw new PemError(`must have one private key, not ${keys.length}`);
  if (key && certificates[0]?.checkPrivateKey(key) === false)
    throw new PemError('must have a private key that fits its first certificate');
  const ends = certificates.map(({ validTo }) => Date.parse(validTo));
  return {
    certificates: certificates.length,
    key: key !== undefined,
    ...(ends.length > 0 && { validUntilMs: Math.min(...ends) }),
  };
}

const EXPECTED = 'must be certificates or a private key in PEM, such as "-----BEGIN CERTIFICATE-----"';
const ENCRYPTED = 'must not have an encrypted private key: decrypt it first, as with openssl pkey';

function certificateIn(block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    throw new PemError('has a certificate that cannot be read', { cause });
  }
}

function keyIn(block: string): KeyObject {
  if (block.includes('ENCRYPTED')) throw new PemError(ENCRYPTED);
  try {
    return createPrivateKey(block);
  } catch (cause) {
    throw new PemError('has a private key that cannot be read', { cause });
  }
}
