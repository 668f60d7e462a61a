/**
 * The index of the first value that is not over; the length if all are.
 *
 * @param sorted values of which those that are over come first
 */
export function firstIndex<Value>(sorted: readonly Value[], isOver: (value: Value) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isOver(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
