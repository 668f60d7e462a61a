interface Due<Item> {
  atMs: number;
  order: number;
  item: Item;
}

/** A priority queue by due time. Items with the same due time keep the order in which they were added. */
export class DueHeap<Item> {
  private readonly heap: Due<Item>[] = [];
  private pushed = 0;

  /** The earliest due time; undefined if the heap is empty. */
  get nextAtMs(): number | undefined {
    return this.heap[0]?.atMs;
  }

  push(atMs: number, item: Item): void {
    const due = { atMs, order: this.pushed++, item };
    let index = this.heap.length;
    this.heap.push(due);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.heap[parent] as Due<Item>;
      if (!before(due, above)) break;
      this.heap[index] = above;
      index = parent;
    }
    this.heap[index] = due;
  }

  /** Removes and returns the earliest item if it is due. */
  popDue(nowMs: number): { atMs: number; item: Item } | undefined {
    const top = this.heap[0];
    if (!top || top.atMs > nowMs) return undefined;
    const last = this.heap.pop() as Due<Item>;
    if (this.heap.length > 0) this.sink(last);
    return top;
  }

  get size(): number {
    return this.heap.length;
  }

  /** Removes all items for which `keep` is false. Costs a sort, so it is for rare use. */
  retain(keep: (item: Item, atMs: number) => boolean): void {
    const kept = this.heap
      .filter(({ item, atMs }) => keep(item, atMs))
      .sort((a, b) => (before(a, b) ? -1 : 1));
    this.heap.length = 0;
    // A sorted array is a heap.
    for (const due of kept) this.heap.push(due);
  }

  clear(): void {
    this.heap.length = 0;
  }

  private sink(due: Due<Item>): void {
    const { heap } = this;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child =
        right < heap.length && before(heap[right] as Due<Item>, heap[left] as Due<Item>) ? right : left;
      if (!before(heap[child] as Due<Item>, due)) break;
      heap[index] = heap[child] as Due<Item>;
      index = child;
    }
    heap[index] = due;
  }
}

const before = <Item>(a: Due<Item>, b: Due<Item>): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
