import type { Random } from '../../lambdas/core/clock/random';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz012345';
const ID_LENGTH = 26;

/** Randomness that a seed decides (mulberry32): the same seed, the same run. */
export class FakeRandom implements Random {
  private state: number;

  constructor(seed = 1) {
    this.state = seed >>> 0;
  }

  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  id(): string {
    let id = '';
    while (id.length < ID_LENGTH) id += ALPHABET[Math.floor(this.fraction() * ALPHABET.length)];
    return id;
  }

  /** A whole number in `[from, to]`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /** One of `values`. */
  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('nothing to pick from');
    return values[this.between(0, values.length - 1)]!;
  }
}
