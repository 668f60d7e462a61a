import { createHmac } from 'node:crypto';

import { keyOf } from './standard-webhooks';

/** Signs the headers that Standard Webhooks does not sign. */
export const SIGNATURE_HEADER = 'quarterjack-signature';
const SIGNED_PREFIX = 'quarterjack-';
/** Makes another key of the secret, so that no signature of a body is one of headers. */
const PURPOSE = 'quarterjack-headers/1';

/**
 * One signature of the `quarterjack-…` headers, as in `Quarterjack-Signature`: `v1,<base64>`. It covers
 * `webhook-id`, `webhook-timestamp`, and each `quarterjack-…` header but itself, one a line, sorted by name.
 * A receiver signs all those that arrived, so a header that was added, removed or changed does not verify.
 *
 * @param headers all headers of the delivery, names in lower case
 * @param secret `whsec_…`
 */
export function signHeaders(headers: Readonly<Record<string, string>>, secret: string): string {
  const lines = Object.keys(headers)
    .filter((name) => name.startsWith(SIGNED_PREFIX) && name !== SIGNATURE_HEADER)
    .toSorted() // names are ASCII, so this is the order of their bytes
    .map((name) => `${name}:${headers[name]}\n`);
  const signed = ['v1\n', `${headers['webhook-id']}\n`, `${headers['webhook-timestamp']}\n`, ...lines].join(
    '',
  );
  const key = createHmac('sha256', keyOf(secret)).update(PURPOSE).digest();
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
