const BLOCK_BYTES = 64;
const WORDS = 8;
const ROUNDS = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2, 5.3.3). */
function fractions(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let at = 2; found.length < count; at++) {
    let isPrime = true;
    for (let by = 2; by * by <= at; by++) if (at % by === 0) isPrime = false;
    if (isPrime) found.push(((root(at) % 1) * 2 ** 32) | 0);
  }
  return found;
}
const START = fractions(WORDS, Math.sqrt);
const ADDED = fractions(ROUNDS, Math.cbrt);

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 (FIPS 180-4), at once: what the platform has would answer later. It guards no secret. */
export function sha256(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const hash = Int32Array.from(START);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) addBlock(hash, view, at);
  const digest = new DataView(new ArrayBuffer(WORDS * 4));
  for (const [index, word] of hash.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

function addBlock(hash: Int32Array, view: DataView, at: number): void {
  const words = new Int32Array(ROUNDS);
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let round = 0; round < ROUNDS; round++) {
    words[round] = round < 16 ? view.getInt32(at + round * 4) : scheduled(words, round);
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ADDED[round]! + words[round]!) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index]! += word;
}

function scheduled(words: Int32Array, round: number): number {
  const [near, far] = [words[round - 2]!, words[round - 15]!];
  const fromNear = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  const fromFar = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  return (words[round - 16]! + fromFar + words[round - 7]! + fromNear) | 0;
}
