import { createHmac, timingSafeEqual } from 'node:crypto';

import { QuarterjackError } from '../errors';

const SECRET_PREFIX = 'whsec_';
const DEFAULT_TOLERANCE_SEC = 300;

/** Headers as Node gives them, or as `fetch` does. */
export type DeliveryHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** `whsec_…`; several while a rotation is under way. */
  secret: string | readonly string[];
  /** How far the delivery's timestamp may lie from now, in either direction. Default 300. */
  toleranceSec?: number;
  nowMs?: number;
}

/** What a delivery says about itself, in headers that came with a good signature. */
export interface Delivery {
  /** Of the execution, the same on every attempt: deduplicate by it. */
  id: string;
  jobId: string;
  execId: string;
  attempt: number;
  /** Rises with every claim of the execution. */
  fence: number;
  dueAt: Date;
  /** The body as text; `json()` parses it. */
  body: string;
  json<T = unknown>(): T;
}

/** The delivery is not from Quarterjack, or was tampered with, or is too old: answer 401 and do nothing. */
export class SignatureError extends QuarterjackError {
  override name = 'SignatureError';
}

/**
 * Checks a delivery's signature by Standard Webhooks, in constant time, and reads its headers. `body` is what came
 * over the wire, byte for byte: a body that was parsed and written again does not verify. The `Quarterjack-…` headers
 * are not signed themselves: trust them as far as the way they came on (https). Throws a `SignatureError`.
 */
export function verifyDelivery(
  body: string | Uint8Array,
  headers: DeliveryHeaders,
  options: VerifyOptions,
): Delivery {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  checkAge(timestamp, options);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  const given = required(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const keys = [options.secret].flat().map(keyOf);
  // All are compared, so that the time taken says nothing about which of them was close.
  const matches = keys.flatMap((key) => given.map((one) => sameBytes(hmac(key, signed), one)));
  if (!matches.includes(true)) throw new SignatureError('no signature of the delivery matches the secret');

  const text = Buffer.from(body).toString('utf8');
  return {
    id,
    jobId: required(headers, 'quarterjack-job'),
    execId: required(headers, 'quarterjack-execution'),
    attempt: Number(required(headers, 'quarterjack-attempt')),
    fence: Number(required(headers, 'quarterjack-fence')),
    dueAt: new Date(required(headers, 'quarterjack-due')),
    body: text,
    json: () => JSON.parse(text),
  };
}

function checkAge(
  timestamp: string,
  { toleranceSec = DEFAULT_TOLERANCE_SEC, nowMs = Date.now() }: VerifyOptions,
) {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new SignatureError(
      `webhook-timestamp is ${JSON.stringify(timestamp)}; expected seconds since 1970`,
    );
  const ageSec = nowMs / 1_000 - Number(timestamp);
  if (Math.abs(ageSec) <= toleranceSec) return;
  throw new SignatureError(
    `webhook-timestamp is ${Math.round(Math.abs(ageSec))} s in the ${ageSec > 0 ? 'past' : 'future'}; allowed are ${toleranceSec} s`,
  );
}

const hmac = (key: Buffer, signed: Buffer): Buffer => createHmac('sha256', key).update(signed).digest();

const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (secret.startsWith(SECRET_PREFIX) && key.length > 0) return key;
  throw new QuarterjackError(
    'the signing secret must be "whsec_" and base64, as GET /v1/signing-secret gives it',
  );
}

/** The header's only value; names of headers are written in lower case here. */
export function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value[0] : value;
}

function required(headers: DeliveryHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value) return value;
  throw new SignatureError(`the delivery has no header ${name}`);
}
