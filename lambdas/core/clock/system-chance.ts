import { randomBytes } from 'node:crypto';

import type { Chance } from './chance';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz012345';
const ID_LENGTH = 26; // 130 bits

/** The one place that draws real randomness. */
export const systemChance: Chance = {
  fraction: () => randomBytes(4).readUInt32BE(0) / 2 ** 32,
  id: () => Array.from(randomBytes(ID_LENGTH), (byte) => ALPHABET[byte & 31]).join(''),
};
