import { QuarterjackError } from '../errors';
import { checkOf, onlyOwnErrors } from './check-delivery';
import type { Delivery, LegacyDelivery, VerifyOptions } from './delivery';
import type { DeliveryHeaders } from './delivery-headers';
import { headerKeysOf, keysThatSigned } from './signatures';

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

function verify(body: unknown, given: unknown, options: unknown): Delivery | LegacyDelivery {
  const check = checkOf(body, given, options);
  const byBody = keysThatSigned(check.keys, check.body.text, check.body.signatures);
  const { text, signatures } = check.headersAfter(byBody);
  return check.deliveryAfter(byBody, keysThatSigned(headerKeysOf(check.keys), text, signatures));
}
