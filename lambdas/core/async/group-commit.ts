interface Waiter<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

export interface GroupOptions<Item, Outcome> {
  /** Writes items of one key. Has an outcome for each, in their order. */
  commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Whether two items may not stand in one write. */
  clash: (one: Item, other: Item) => boolean;
  /** Items of one write, at most. */
  most: number;
}

/**
 * Makes writes of one process that fall together one. While a write of a key is on its way, further items of
 * that key wait, and then go as one write. An item that comes alone waits for nothing. If a write fails, all
 * of its items fail with its error.
 */
export function groupCommit<Item, Outcome>({
  commit,
  clash,
  most,
}: GroupOptions<Item, Outcome>): (key: string, item: Item) => Promise<Outcome> {
  type Waiting = Waiter<Item, Outcome>;
  /** By key, while a write of it is on its way. */
  const waiting = new Map<string, Waiting[]>();

  async function write(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ item }) => item));
      for (const [at, { resolve }] of group.entries()) resolve(outcomes[at]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function nextOf(key: string): readonly Waiting[] {
    const [taken, left]: [Waiting[], Waiting[]] = [[], []];
    for (const one of waiting.get(key)!) {
      const fits = taken.length < most && !taken.some(({ item }) => clash(item, one.item));
      (fits ? taken : left).push(one);
    }
    waiting.set(key, left);
    return taken;
  }

  async function writeAll(key: string): Promise<void> {
    for (let group = nextOf(key); group.length > 0; group = nextOf(key)) await write(group);
    waiting.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiter = { item, resolve, reject };
      const others = waiting.get(key);
      if (others) others.push(waiter);
      else {
        waiting.set(key, [waiter]);
        void writeAll(key);
      }
    });
}
