import { QuarterjackError } from '../errors';
import {
  type Delivery,
  type LegacyDelivery,
  type Reporting,
  SignatureError,
  VERIFIED,
  type VerifyOptions,
} from './delivery';
import { readHeaders, required, requiredNumber } from './delivery-headers';
import { type Bytes, keysOf, signaturesIn, signedBody, signedHeaders, utf8 } from './signed-texts';

const DEFAULT_TOLERANCE_SEC = 300;

/** A value that no receiver gets from the network may fail in any way, but not as another error. */
export function onlyOwnErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof QuarterjackError) throw error;
    throw new QuarterjackError('the delivery or the options cannot be read', { cause: error });
  }
}

/** A text, and the signatures that came with it. */
export interface Signed {
  text: Bytes;
  signatures: readonly Bytes[];
}

/** All checks of a delivery but the HMACs, which each platform makes in its own way. */
export interface Check {
  keys: readonly Bytes[];
  body: Signed;
  /** What signs the headers. Throws a `SignatureError` if no key has signed the body. */
  headersAfter(byBody: readonly boolean[]): Signed;
  /** The delivery. Throws a `SignatureError` unless one key has signed both. */
  deliveryAfter(byBody: readonly boolean[], byHeaders: readonly boolean[]): Delivery | LegacyDelivery;
}

/** Throws a `SignatureError` for a delivery that is too old, or has no signatures. */
export function checkOf(body: unknown, given: unknown, options: unknown): Check {
  const bytes = bytesOf(body);
  const { secret, legacy, toleranceSec, nowMs } = optionsOf(options);
  const keys = keysOf(secret);
  const headers = readHeaders(given);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  checkAge(timestamp, toleranceSec, nowMs);
  const signatures = signaturesIn('webhook-signature', required(headers, 'webhook-signature'));
  return {
    keys,
    body: { text: signedBody(id, timestamp, bytes), signatures },
    headersAfter(byBody) {
      if (!byBody.includes(true)) throw new SignatureError('no signature of the delivery matches the secret');
      return {
        text: signedHeaders(id, timestamp, headers),
        signatures: signaturesOfHeaders(headers, legacy),
      };
    },
    deliveryAfter(byBody, byHeaders) {
      // One secret must have made both: two secrets may belong to two parties.
      const headersSigned = byBody.some((signed, index) => signed && byHeaders[index]);
      if (!headersSigned && !legacy)
        throw new SignatureError(
          'no signature of the quarterjack-… headers matches the secret; a legacy secret needs { legacy: true }',
        );
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      return deliveryOf(id, headers, text, headersSigned);
    },
  };
}

function signaturesOfHeaders(headers: ReadonlyMap<string, string>, legacy: boolean): Bytes[] {
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
    ...(headers.has('quarterjack-key') && { key: decodedKey(required(headers, 'quarterjack-key')) }),
    ...(headers.has('quarterjack-hop') && { deliveryDepth: requiredNumber(headers, 'quarterjack-hop', 1) }),
    ...(headers.has('quarterjack-target') && { target: requiredNumber(headers, 'quarterjack-target', 0) }),
    body,
    headersSigned,
    json: <T>() => jsonOf(body) as T,
  };
  Object.defineProperty(delivery, VERIFIED, { value: { headersSigned, reporting } });
  return Object.freeze(delivery) as Delivery | LegacyDelivery;
}

/** Only what is signed can be encoded in another way: then it is kept as it is. */
export function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function dueAtOf(text: string): Date {
  const dueAt = new Date(text);
  if (Number.isFinite(dueAt.getTime())) return dueAt;
  throw new SignatureError(`quarterjack-due is ${JSON.stringify(text)}; expected a time`);
}

function bytesOf(body: unknown): Bytes {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array) return Uint8Array.from(body);
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
