import { createHmac, timingSafeEqual } from 'node:crypto';

import { QuarterjackError } from '../errors';
import { SignatureError } from './delivery';

const SECRET_PREFIX = 'whsec_';
const SIGNATURE_HEADER = 'quarterjack-signature';
const SIGNED_PREFIX = 'quarterjack-';
const PURPOSE = 'quarterjack-headers/1';
/** `<version>,<base64>`. A comma at the end is left where a header was given twice. */
const SIGNATURE = /^[A-Za-z0-9]+,[A-Za-z0-9+/=_-]+$/;

/** The keys of the secrets. Throws a `QuarterjackError` if there is none, or one is malformed. */
export function keysOf(secret: unknown): Buffer[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new QuarterjackError('the signing secret is missing');
  return secrets.map(keyOf);
}

function keyOf(secret: unknown): Buffer {
  if (typeof secret !== 'string') throw new QuarterjackError('the signing secret is missing');
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (secret.startsWith(SECRET_PREFIX) && key.length > 0) return key;
  throw new QuarterjackError(
    'the signing secret must be "whsec_" followed by base64, as GET /v1/signing-secret returns it',
  );
}

/** The signatures of version 1 in a header. Throws a `SignatureError` if the header is malformed. */
export function signaturesIn(name: string, value: string): Buffer[] {
  const signatures = value.split(' ');
  if (!signatures.every((one) => SIGNATURE.test(one)))
    throw new SignatureError(`${name} is malformed, or given twice`);
  return signatures
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
}

/** What Standard Webhooks signs: id, timestamp and the bytes of the body. */
export const signedBody = (id: string, timestamp: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);

/** What `Quarterjack-Signature` signs: id, timestamp, and every other `quarterjack-…` header that arrived. */
export function signedHeaders(id: string, timestamp: string, headers: ReadonlyMap<string, string>): Buffer {
  const lines = [...headers.keys()]
    .filter((name) => name.startsWith(SIGNED_PREFIX) && name !== SIGNATURE_HEADER)
    .toSorted()
    .map((name) => `${name}:${headers.get(name)}\n`);
  return Buffer.from(['v1\n', `${id}\n`, `${timestamp}\n`, ...lines].join(''));
}

/** Which keys made one of the signatures. Every pair is compared, so that the time taken tells nothing. */
export const keysThatSigned = (
  keys: readonly Buffer[],
  signed: Buffer,
  given: readonly Buffer[],
): boolean[] =>
  keys.map((key) => {
    const expected = hmac(key, signed);
    return given.map((one) => isSame(expected, one)).includes(true);
  });

/** The keys that sign headers. */
export const headerKeysOf = (keys: readonly Buffer[]): Buffer[] =>
  keys.map((key) => hmac(key, Buffer.from(PURPOSE)));

const hmac = (key: Buffer, signed: Buffer): Buffer => createHmac('sha256', key).update(signed).digest();

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
