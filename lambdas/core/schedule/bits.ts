/** Small sets as the bits of a number: member n is bit n, from 0 to 31. */

/** The least member. The set must not be empty. */
export const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** How many members the set has. */
export function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The indexes of the values for which a test holds. At most 32 values. */
export function bitsOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let bits = 0;
  for (let index = 0; index < values.length; index++) if (holds(values[index]!)) bits |= 1 << index;
  return bits;
}
