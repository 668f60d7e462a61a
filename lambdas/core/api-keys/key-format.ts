import { crc32 } from 'node:zlib';

import type { Random } from '../clock/random';

/*
 * `qj_<keyId>_<secret><checksum>`. The checksum is the CRC-32 of all that precedes it, as zip and PNG compute
 * it. It has six digits of base 62, `0-9A-Za-z`, with zeros in front. Secret scanners check it offline.
 */

const PREFIX = 'qj_';
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 16;
/** 256 bits. */
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;

export const KEY_ID = /^[0-9a-z]{16}$/;
const KEY = /^(qj_([0-9a-z]{16})_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Whether a bearer token is meant as an API key. A JWT never begins so. */
export const hasKeyPrefix = (token: string): boolean => token.startsWith(PREFIX);

/** A new key. Its id is random too, unless given: 16 of 0-9a-z. */
export function newKey(
  random: Random,
  keyId: string = randomText(random, ID_ALPHABET, ID_LENGTH),
): { keyId: string; key: string } {
  const body = `${PREFIX}${keyId}_${randomText(random, ALPHABET, SECRET_LENGTH)}`;
  return { keyId, key: body + checksumOf(body) };
}

/** The id in a key; undefined for a text that is no key, or whose checksum is another. */
export function keyIdOf(text: string): string | undefined {
  const [, body, keyId, checksum] = KEY.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum ? keyId : undefined;
}

/** An id that always follows from the same bytes, of which it uses the first twelve. */
export function keyIdFrom(bytes: Uint8Array): string {
  const number = bytes.subarray(0, 12).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return number.toString(ID_ALPHABET.length).padStart(ID_LENGTH, '0').slice(-ID_LENGTH);
}

/** Six digits of base 62, of all that precedes them. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let count = 0; count < CHECKSUM_LENGTH; count++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

const WORDS = 2 ** 32;

function randomText(random: Random, alphabet: string, length: number): string {
  // Above the largest multiple of the alphabet's size, the first characters would be likelier: draw again.
  const limit = WORDS - (WORDS % alphabet.length);
  let text = '';
  while (text.length < length) {
    const word = Math.floor(random.fraction() * WORDS);
    if (word < limit) text += alphabet.charAt(word % alphabet.length);
  }
  return text;
}
