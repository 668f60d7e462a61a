import { randomFillSync } from 'node:crypto';

import type { Random } from './random';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz012345';
const ID_LENGTH = 26; // 130 bits
const FRACTION_BYTES = 4;

/** Filled in one call, since each call of the system's generator costs as much as a thousand of its bytes. */
const pool = Buffer.allocUnsafe(4_096);
let used = pool.length;

/** The next unused random bytes. */
function bytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** The only place that draws real randomness. */
export const systemRandom: Random = {
  fraction: () => bytes(FRACTION_BYTES).readUInt32BE(0) / 2 ** 32,
  id: () => Array.from(bytes(ID_LENGTH), (byte) => ALPHABET[byte & 31]).join(''),
};
