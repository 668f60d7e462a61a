import { keyIdFrom, keyIdOf, hasKeyPrefix, newKey } from '../../../../lambdas/core/api-keys/key-format';
import type { Random } from '../../../../lambdas/core/clock/random';
import { FakeRandom } from '../../../support/fake-random';

const { key: KEY } = newKey(new FakeRandom(1));

/** Draws these 32-bit words in turn. */
const drawing = (...words: number[]): Random => ({
  fraction: () => words.shift()! / 2 ** 32,
  id: () => 'unused',
});

describe('an API key', () => {
  it('has an id of 16, a secret of 43 and a checksum of 6 characters', () => {
    expect(KEY).toMatch(/^qj_[0-9a-z]{16}_[0-9A-Za-z]{49}$/);
    expect(keyIdOf(KEY)).toBe(KEY.slice(3, 19));
    expect(hasKeyPrefix(KEY)).toBe(true);
    expect(hasKeyPrefix('eyJhbGciOiJSUzI1NiJ9.e30.c2ln')).toBe(false);
  });

  it('has the CRC-32 of what precedes it as its checksum, in base 62', () => {
    const { key: zeros } = newKey(drawing(...Array<number>(59).fill(0)));
    // crc32('qj_0000000000000000_' + 43 zeros), computed by Python's zlib
    expect(zeros).toBe(`qj_${'0'.repeat(16)}_${'0'.repeat(43)}4CySFn`);
  });

  it('is another one each time, unless its id is given', () => {
    const random = new FakeRandom(2);
    const keys = Array.from({ length: 100 }, () => newKey(random).key);
    expect(new Set(keys.map((key) => key.slice(20))).size).toBe(100);
    expect(keyIdOf(newKey(random, 'abcdefghijklmnop').key)).toBe('abcdefghijklmnop');
  });

  it('draws again where a draw would make some characters likelier', () => {
    const limit = 2 ** 32 - (2 ** 32 % 62);
    const secret = Array<number>(43).fill(61);
    const { key } = newKey(drawing(limit, 2 ** 32 - 1, ...secret), 'a'.repeat(16));
    expect(key.slice(20, 63)).toBe('z'.repeat(43));
  });

  it.each([
    ['cut', KEY.slice(0, -1)],
    ['longer', `${KEY}0`],
    ['followed by a line break', `${KEY}\n`],
    ['with another first character of the secret', KEY.slice(0, 20) + other(KEY.charAt(20)) + KEY.slice(21)],
    ['with another last character', KEY.slice(0, -1) + other(KEY.at(-1)!)],
    ['with the id of another key', `qj_${'a'.repeat(16)}${KEY.slice(19)}`],
    ['in upper case', KEY.toUpperCase()],
    ['empty', ''],
  ])('that is %s has no id', (_, text) => {
    expect(keyIdOf(text)).toBeUndefined();
  });
});

test('an id that is made from bytes is always the same, and has the form of an id', () => {
  const bytes = Buffer.from('0123456789abcdef');
  expect(keyIdFrom(bytes)).toMatch(/^[0-9a-z]{16}$/);
  expect(keyIdFrom(bytes)).toBe(keyIdFrom(Buffer.from(bytes)));
  expect(keyIdFrom(Buffer.alloc(32))).toBe('0'.repeat(16));
  expect(keyIdFrom(Buffer.alloc(32, 1))).not.toBe(keyIdFrom(Buffer.alloc(32, 2)));
});

function other(character: string): string {
  return character === 'x' ? 'y' : 'x';
}
