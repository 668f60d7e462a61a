import { checkOf } from '../deliveries/check-delivery';
import type { Delivery, VerifyOptions } from '../deliveries/delivery';
import { type Bytes, PURPOSE, utf8 } from '../deliveries/signed-texts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** What `verifyDelivery` does, by the cryptography that every platform has. */
export async function verifyOnWeb(
  body: Uint8Array,
  headers: Iterable<readonly [string, string]> | object,
  options: Omit<VerifyOptions, 'legacy'>,
): Promise<Delivery> {
  const check = checkOf(body, headers, options);
  const { keys, body: ofBody } = check;
  const byBody = await keysThatSigned(keys, ofBody.text, ofBody.signatures);
  const { text, signatures } = check.headersAfter(byBody);
  const headerKeys = await Promise.all(keys.map((key) => hmac(key, utf8(PURPOSE))));
  return check.deliveryAfter(byBody, await keysThatSigned(headerKeys, text, signatures)) as Delivery;
}

/** Which keys made one of the signatures. Every pair is compared. */
const keysThatSigned = (keys: readonly Bytes[], text: Bytes, signatures: readonly Bytes[]) =>
  Promise.all(
    keys.map(async (key) => {
      const imported = await imports(key, 'verify');
      const made = await Promise.all(
        signatures.map((one) => crypto.subtle.verify('HMAC', imported, one, text)),
      );
      return made.includes(true);
    }),
  );

const hmac = async (key: Bytes, text: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', await imports(key, 'sign'), text));

const imports = (key: Bytes, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key, HMAC, false, [use]);
