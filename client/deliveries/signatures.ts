import { createHmac, timingSafeEqual } from 'node:crypto';

import { PURPOSE } from './signed-texts';

/** Which keys made one of the signatures. Every pair is compared, so that the time taken tells nothing. */
export const keysThatSigned = (
  keys: readonly Uint8Array[],
  signed: Uint8Array,
  given: readonly Uint8Array[],
): boolean[] =>
  keys.map((key) => {
    const expected = hmac(key, signed);
    return given.map((one) => isSame(expected, one)).includes(true);
  });

/** The keys that sign headers. */
export const headerKeysOf = (keys: readonly Uint8Array[]): Buffer[] =>
  keys.map((key) => hmac(key, Buffer.from(PURPOSE)));

const hmac = (key: Uint8Array, signed: Uint8Array): Buffer =>
  createHmac('sha256', key).update(signed).digest();

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
