import { QuarterjackError } from '../errors';
import { SignatureError } from './delivery';

const SECRET_PREFIX = 'whsec_';
const SIGNATURE_HEADER = 'quarterjack-signature';
const SIGNED_PREFIX = 'quarterjack-';
/** `<version>,<base64>`. A comma at the end is left where a header was given twice. */
const SIGNATURE = /^[A-Za-z0-9]+,[A-Za-z0-9+/=_-]+$/;

/** What a secret's key signs, for the key that signs headers. */
export const PURPOSE = 'quarterjack-headers/1';

/** Bytes that other code may keep: none of them is shared. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** The keys of the secrets. Throws a `QuarterjackError` if there is none, or one is malformed. */
export function keysOf(secret: unknown): Bytes[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new QuarterjackError('the signing secret is missing');
  return secrets.map(keyOf);
}

function keyOf(secret: unknown): Bytes {
  if (typeof secret !== 'string') throw new QuarterjackError('the signing secret is missing');
  const key = bytesOf(secret.slice(SECRET_PREFIX.length));
  if (secret.startsWith(SECRET_PREFIX) && key.length > 0) return key;
  throw new QuarterjackError(
    'the signing secret must be "whsec_" followed by base64, as GET /v1/signing-secret returns it',
  );
}

/** The signatures of version 1 in a header. Throws a `SignatureError` if the header is malformed. */
export function signaturesIn(name: string, value: string): Bytes[] {
  const signatures = value.split(' ');
  if (!signatures.every((one) => SIGNATURE.test(one)))
    throw new SignatureError(`${name} is malformed, or given twice`);
  return signatures.filter((one) => one.startsWith('v1,')).map((one) => bytesOf(one.slice('v1,'.length)));
}

/** What Standard Webhooks signs: id, timestamp and the bytes of the body. */
export function signedBody(id: string, timestamp: string, body: Uint8Array): Bytes {
  const before = utf8(`${id}.${timestamp}.`);
  const signed = new Uint8Array(before.length + body.length);
  signed.set(before);
  signed.set(body, before.length);
  return signed;
}

/** What `Quarterjack-Signature` signs: id, timestamp, and every other `quarterjack-…` header that arrived. */
export function signedHeaders(id: string, timestamp: string, headers: ReadonlyMap<string, string>): Bytes {
  const lines = [...headers.keys()]
    .filter((name) => name.startsWith(SIGNED_PREFIX) && name !== SIGNATURE_HEADER)
    .toSorted()
    .map((name) => `${name}:${headers.get(name)}\n`);
  return utf8(['v1\n', `${id}\n`, `${timestamp}\n`, ...lines].join(''));
}

/** Base64 of either alphabet, up to the first `=`. Other characters are left out, as Node.js does. */
function bytesOf(base64: string): Bytes {
  const [given = ''] = base64.replaceAll('-', '+').replaceAll('_', '/').split('=');
  const text = given.replace(/[^A-Za-z0-9+/]/g, '');
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
