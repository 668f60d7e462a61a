import { createHmac, timingSafeEqual } from 'node:crypto';

import { QuarterjackError } from '../errors';

const SECRET_PREFIX = 'whsec_';
const DEFAULT_TOLERANCE_SEC = 300;

/** Headers as Node.js or as `fetch` represents them. */
export type DeliveryHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** `whsec_…`; pass both secrets during a rotation. */
  secret: string | readonly string[];
  /**
   * Largest accepted distance between the delivery's timestamp and now, in seconds either way. Default 300.
   */
  toleranceSec?: number | undefined;
  nowMs?: number | undefined;
}

/** A verified delivery. The signature covers `id` and `body`; the other fields are unsigned headers. */
export interface Delivery {
  /** Identifies the execution, and is the same on every attempt: deduplicate by it. */
  id: string;
  jobId: string;
  execId: string;
  attempt: number;
  /** Increases with every claim of the execution. See `FenceGuard`. */
  fence: number;
  dueAt: Date;
  /** The body as text; empty if the job has no payload. */
  body: string;
  /** The body as JSON; undefined if it is empty. Throws a `QuarterjackError` if it is not JSON. */
  json<T = unknown>(): T;
}

/** The delivery is not from Quarterjack, was changed on the way, or is too old. Answer 401 and do nothing. */
export class SignatureError extends QuarterjackError {
  override name = 'SignatureError';
}

/**
 * Checks a delivery's signature as Standard Webhooks specifies, in constant time, and reads its headers.
 * `body` must be the bytes that were received: a body that was parsed and serialised again does not verify.
 * Undefined or null counts as empty: some frameworks give that for a delivery without payload.
 * The `Quarterjack-…` headers are not signed: trust them as far as the connection they came over (https).
 *
 * Throws a `SignatureError` if the delivery is not genuine, and a `QuarterjackError` if the receiver passes a
 * parsed body, no headers or a malformed secret.
 */
export function verifyDelivery(
  body: string | Uint8Array | null | undefined,
  headers: DeliveryHeaders,
  options: VerifyOptions,
): Delivery {
  const bytes = bytesOf(body);
  checkHeaders(headers);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  checkAge(timestamp, options);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes]);
  const given = required(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const keys = [options.secret].flat().map(keyOf);
  // Every pair is compared, so that the time taken does not reveal which one almost matched.
  const matches = keys.flatMap((key) => given.map((one) => sameBytes(hmac(key, signed), one)));
  if (!matches.includes(true)) throw new SignatureError('no signature of the delivery matches the secret');

  const text = bytes.toString('utf8');
  return {
    id,
    jobId: required(headers, 'quarterjack-job'),
    execId: required(headers, 'quarterjack-execution'),
    attempt: Number(required(headers, 'quarterjack-attempt')),
    fence: Number(required(headers, 'quarterjack-fence')),
    dueAt: new Date(required(headers, 'quarterjack-due')),
    body: text,
    json: <T>() => jsonOf(text) as T,
  };
}

function bytesOf(body: string | Uint8Array | null | undefined): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  throw new QuarterjackError(
    "the body must be raw, as a string or bytes, and not parsed: in Express, express.raw({ type: '*/*' }) in place of express.json()",
  );
}

function checkHeaders(headers: unknown): void {
  if (typeof headers === 'object' && headers !== null) return;
  throw new QuarterjackError('the headers of the request are missing: pass request.headers');
}

function jsonOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new QuarterjackError(`the body of the delivery is not JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
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
    `webhook-timestamp is ${Math.round(Math.abs(ageSec))} s in the ${ageSec > 0 ? 'past' : 'future'}; at most ${toleranceSec} s is allowed`,
  );
}

const hmac = (key: Buffer, signed: Buffer): Buffer => createHmac('sha256', key).update(signed).digest();

const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function keyOf(secret: unknown): Buffer {
  if (typeof secret !== 'string') throw new QuarterjackError('the signing secret is missing');
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (secret.startsWith(SECRET_PREFIX) && key.length > 0) return key;
  throw new QuarterjackError(
    'the signing secret must be "whsec_" followed by base64, as GET /v1/signing-secret returns it',
  );
}

/** The header's value; the first one if it is a list. `name` must be in lower case. */
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
