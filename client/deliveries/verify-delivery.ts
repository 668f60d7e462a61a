import { QuarterjackError } from '../errors';
import { type Delivery, type LegacyDelivery, type Reporting, SignatureError, VERIFIED } from './delivery';
import { type DeliveryHeaders, readHeaders, required, requiredNumber } from './delivery-headers';
import { headerKeysOf, keysOf, keysThatSigned, signaturesIn, signedBody, signedHeaders } from './signatures';

const DEFAULT_TOLERANCE_SEC = 300;

export interface VerifyOptions {
  /**
   * `whsec_…` of the receiver's host, as `GET /v1/signing-secret?host=` returns it; pass both secrets during
   * a rotation.
   */
  secret: string | readonly string[];
  /**
   * Accepts a delivery that only its body proves, as a legacy secret of the project signs it. The result then
   * says `headersSigned: false`. Default false.
   */
  legacy?: boolean | undefined;
  /**
   * Largest accepted distance between the delivery's timestamp and now, in seconds either way. Default 300.
   */
  toleranceSec?: number | undefined;
  nowMs?: number | undefined;
}

type Strict = VerifyOptions & { legacy?: false | undefined };
type Body = string | Uint8Array | null | undefined;

/**
 * Checks a delivery's two signatures in constant time, and reads its headers. `webhook-signature` covers id,
 * timestamp and body, as Standard Webhooks specifies. `Quarterjack-Signature` covers the `Quarterjack-…`
 * headers, all that arrived. One secret must have made both.
 *
 * `body` must be the bytes that were received: a body that was parsed and serialised again does not verify.
 * Undefined or null counts as empty: some frameworks give that for a delivery without payload. Frameworks
 * with the `Request` of `fetch` pass the request itself; its body is then read, and the result is a promise.
 *
 * Throws a `SignatureError` if the delivery is not genuine. Throws a `QuarterjackError` if the receiver
 * passes a parsed body, no headers or a malformed secret. Throws nothing else.
 */
export function verifyDelivery(body: Body, headers: DeliveryHeaders, options: Strict): Delivery;
export function verifyDelivery(
  body: Body,
  headers: DeliveryHeaders,
  options: VerifyOptions,
): Delivery | LegacyDelivery;
export function verifyDelivery(request: Request, options: Strict): Promise<Delivery>;
export function verifyDelivery(request: Request, options: VerifyOptions): Promise<Delivery | LegacyDelivery>;
export function verifyDelivery(
  ...given:
    | [body: Body, headers: DeliveryHeaders, options: VerifyOptions]
    | [request: Request, options: VerifyOptions]
): Delivery | LegacyDelivery | Promise<Delivery | LegacyDelivery> {
  return onlyOwnErrors(() => {
    const [first, second, third] = given as [unknown, unknown, unknown];
    return isRequest(first) ? verifyRequest(first, second) : verify(first, second, third);
  });
}

/** The `Request` of any implementation of `fetch`: frameworks bring their own. */
const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' &&
  value !== null &&
  'headers' in value &&
  'arrayBuffer' in value &&
  typeof value.arrayBuffer === 'function';

async function verifyRequest(request: Request, options: unknown): Promise<Delivery | LegacyDelivery> {
  let body: ArrayBuffer;
  try {
    body = await request.arrayBuffer();
  } catch (cause) {
    throw new QuarterjackError('the body of the request cannot be read, or was read before', { cause });
  }
  return onlyOwnErrors(() => verify(new Uint8Array(body), request.headers, options));
}

/** A value that no receiver gets from the network may fail in any way, but not as another error. */
function onlyOwnErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof QuarterjackError) throw error;
    throw new QuarterjackError('the delivery or the options cannot be read', { cause: error });
  }
}

function verify(body: unknown, given: unknown, options: unknown): Delivery | LegacyDelivery {
  const bytes = bytesOf(body);
  const { secret, legacy, toleranceSec, nowMs } = optionsOf(options);
  const keys = keysOf(secret);
  const headers = readHeaders(given);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  checkAge(timestamp, toleranceSec, nowMs);
  const bodySignatures = signaturesIn('webhook-signature', required(headers, 'webhook-signature'));
  const byBody = keysThatSigned(keys, signedBody(id, timestamp, bytes), bodySignatures);
  if (!byBody.includes(true)) throw new SignatureError('no signature of the delivery matches the secret');

  const headerSignatures = signaturesOfHeaders(headers, legacy);
  const byHeaders = keysThatSigned(
    headerKeysOf(keys),
    signedHeaders(id, timestamp, headers),
    headerSignatures,
  );
  // One secret must have made both: two secrets may belong to two parties.
  const headersSigned = byBody.some((signed, index) => signed && byHeaders[index]);
  if (!headersSigned && !legacy)
    throw new SignatureError(
      'no signature of the quarterjack-… headers matches the secret; a legacy secret needs { legacy: true }',
    );
  return deliveryOf(id, headers, bytes.toString('utf8'), headersSigned);
}

function signaturesOfHeaders(headers: ReadonlyMap<string, string>, legacy: boolean): Buffer[] {
  const name = 'quarterjack-signature';
  if (legacy && !headers.get(name)) return [];
  return signaturesIn(name, required(headers, name));
}

function deliveryOf(
  id: string,
  headers: ReadonlyMap<string, string>,
  body: string,
  headersSigned: boolean,
): Delivery | LegacyDelivery {
  const callback = headers.get('quarterjack-callback');
  const token = headers.get('quarterjack-token');
  const reporting: Reporting | undefined = callback && token ? { callback, token } : undefined;
  const delivery = {
    id,
    jobId: required(headers, 'quarterjack-job'),
    execId: required(headers, 'quarterjack-execution'),
    attempt: requiredNumber(headers, 'quarterjack-attempt', 1),
    fence: requiredNumber(headers, 'quarterjack-fence', 1),
    dueAt: dueAtOf(required(headers, 'quarterjack-due')),
    ...(headers.has('quarterjack-target') && { target: requiredNumber(headers, 'quarterjack-target', 0) }),
    body,
    headersSigned,
    json: <T>() => jsonOf(body) as T,
  };
  Object.defineProperty(delivery, VERIFIED, { value: { headersSigned, reporting } });
  return Object.freeze(delivery) as Delivery | LegacyDelivery;
}

function dueAtOf(text: string): Date {
  const dueAt = new Date(text);
  if (Number.isFinite(dueAt.getTime())) return dueAt;
  throw new SignatureError(`quarterjack-due is ${JSON.stringify(text)}; expected a time`);
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new QuarterjackError(
    "the body must be raw, as a string or bytes, and not parsed: in Express, express.raw({ type: '*/*' }) in place of express.json()",
  );
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

function optionsOf(options: unknown) {
  if (typeof options !== 'object' || options === null)
    throw new QuarterjackError('the signing secret is missing: pass { secret }');
  const {
    secret,
    legacy,
    toleranceSec = DEFAULT_TOLERANCE_SEC,
    nowMs = Date.now(),
  } = options as VerifyOptions;
  for (const [name, value] of Object.entries({ toleranceSec, nowMs })) {
    if (!Number.isFinite(value)) throw new QuarterjackError(`${name} must be a number`);
  }
  return { secret, legacy: legacy === true, toleranceSec, nowMs };
}

function checkAge(timestamp: string, toleranceSec: number, nowMs: number): void {
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
