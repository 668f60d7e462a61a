/** Keys of one chunk, in order, with their values at the same places. A chunk is never empty. */
interface Chunk<Value> {
  keys: string[];
  values: Value[];
}

/** A longer chunk is split in two. */
const MAX_CHUNK = 512;

/**
 * Values by text, in the order of their keys: that of UTF-16 code units. It is a list of short lists, so that
 * a change moves a few hundred places at most, however many keys there are.
 *
 * It must not change while one of its generators is read.
 */
export class SortedMap<Value> {
  private readonly chunks: Chunk<Value>[] = [];

  get isEmpty(): boolean {
    return this.chunks.length === 0;
  }

  get(key: string): Value | undefined {
    const chunk = this.chunks[this.chunkOf(key)];
    if (!chunk) return undefined;
    const at = placeIn(chunk.keys, key);
    return chunk.keys[at] === key ? chunk.values[at] : undefined;
  }

  set(key: string, value: Value): void {
    const index = this.chunkOf(key);
    const chunk = this.chunks[index];
    if (!chunk) {
      this.chunks.push({ keys: [key], values: [value] });
      return;
    }
    const at = placeIn(chunk.keys, key);
    if (chunk.keys[at] === key) {
      chunk.values[at] = value;
      return;
    }
    chunk.keys.splice(at, 0, key);
    chunk.values.splice(at, 0, value);
    if (chunk.keys.length > MAX_CHUNK) this.split(index, chunk);
  }

  delete(key: string): void {
    const index = this.chunkOf(key);
    const chunk = this.chunks[index];
    if (!chunk) return;
    const at = placeIn(chunk.keys, key);
    if (chunk.keys[at] !== key) return;
    chunk.keys.splice(at, 1);
    chunk.values.splice(at, 1);
    if (chunk.keys.length === 0) this.chunks.splice(index, 1);
  }

  /** From the first key that is not below `from`. */
  *ascending(from = ''): Generator<[key: string, value: Value]> {
    let index = this.chunkOf(from);
    let at = placeIn(this.chunks[index]?.keys ?? [], from);
    for (; index < this.chunks.length; index++, at = 0) {
      const { keys, values } = this.chunks[index]!;
      for (; at < keys.length; at++) yield [keys[at]!, values[at]!];
    }
  }

  /** Backwards, from the last key that is not above `from`. Undefined: from the last key. */
  *descending(from?: string): Generator<[key: string, value: Value]> {
    let index = from === undefined ? this.chunks.length - 1 : this.chunkOf(from);
    let at = from === undefined ? undefined : lastPlaceIn(this.chunks[index]?.keys ?? [], from);
    for (; index >= 0; index--, at = undefined) {
      const { keys, values } = this.chunks[index] ?? { keys: [], values: [] };
      for (at ??= keys.length - 1; at >= 0; at--) yield [keys[at]!, values[at]!];
    }
  }

  /** Index of the chunk that a key belongs to: the last one that begins at it or below it, or the first. */
  private chunkOf(key: string): number {
    const { chunks } = this;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (chunks[middle]!.keys[0]! <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private split(index: number, { keys, values }: Chunk<Value>): void {
    // Most keys come in order: a chunk that grows at the end of the map stays full.
    const isLast = index === this.chunks.length - 1;
    const half = isLast ? MAX_CHUNK : MAX_CHUNK / 2;
    this.chunks.splice(index + 1, 0, { keys: keys.splice(half), values: values.splice(half) });
  }
}

/** Where a key is, or would be inserted. */
function placeIn(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the last key is that is not above `key`; -1: there is none. */
function lastPlaceIn(keys: readonly string[], key: string): number {
  const at = placeIn(keys, key);
  return keys[at] === key ? at : at - 1;
}
