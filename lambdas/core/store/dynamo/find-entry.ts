import { groupCommit } from '../../async/group-commit';
import { minuteOf } from '../../contracts/tables';
import { type Entry, entryBucketKey, entrySortKey, type OccurrenceEntry } from '../../domain/entry';
import { type EntryAccess, hasRowOf, readBucket } from './entries';
import { isPackable, isPackName, packsAround, slotOf } from './entry-packs';

/** Sorts after every sort key that begins with the text before it. */
const AFTER_ALL = '~';
const ROWS_A_PAGE = 1_000;
/** For how long the packs of a slot are cached, and how many names of entries at most. */
const KEPT_MS = 60_000;
const MOST_KEPT = 50_000;

export interface FindEntry {
  hasEntry(entry: Entry): Promise<boolean>;
  hasEntryOfSeries(entry: OccurrenceEntry): Promise<boolean>;
}

/** Finds entries that have rows of their own, and those in packs. */
export function findEntryIn(access: EntryAccess): FindEntry {
  const packs = packsIn(access);
  return {
    async hasEntry(entry) {
      const name = entrySortKey(entry);
      if (!access.packs || !isPackable(entry)) return hasRowOf(access, entry);
      return packs.knows(entry, name) || (await hasRowOf(access, entry)) || packs.has(entry, name);
    },
    async hasEntryOfSeries(entry) {
      const name = seriesOf(entry);
      if (!access.packs) return hasRowOfSeries(access, entry);
      return packs.knows(entry, name) || (await hasRowOfSeries(access, entry)) || packs.has(entry, name);
    },
  };
}

/** The sort key up to the first due time. */
const seriesOf = (entry: OccurrenceEntry): string => {
  const key = entrySortKey(entry);
  return key.slice(0, key.lastIndexOf('#') + 1);
};

/** Key: all rows of the job, revision and time; the first is read. Consistent. Cost: 1 read unit. */
async function hasRowOfSeries(access: EntryAccess, entry: OccurrenceEntry): Promise<boolean> {
  const { shard, checkAtMs } = entry;
  const after = seriesOf(entry);
  const range = { minute: minuteOf(checkAtMs), shard, after, before: after + AFTER_ALL, limit: 1 };
  return (await readBucket(access, range)).entries.length > 0;
}

interface Packs {
  /** Whether an entry is in a pack that was read before. A pack never changes, so there it is still. */
  knows(entry: OccurrenceEntry, name: string): boolean;
  /** Whether an entry is in a pack. Consistent. Who asks for one time together shares the read. */
  has(entry: OccurrenceEntry, name: string): Promise<boolean>;
}

function packsIn(access: EntryAccess): Packs {
  const known = new Map<string, { names: Set<string>; untilMs: number }>();
  const slotKey = (entry: OccurrenceEntry) => `${entryBucketKey(entry)} ${slotOf(entry.checkAtMs)}`;

  function knownOf(entry: OccurrenceEntry): { names: Set<string>; untilMs: number } {
    const nowMs = access.clock.monotonicMs();
    const slot = known.get(slotKey(entry));
    return slot && slot.untilMs > nowMs ? slot : { names: new Set(), untilMs: nowMs + KEPT_MS };
  }

  function keep(entry: OccurrenceEntry, names: ReadonlySet<string>): void {
    if (names.size === 0) return;
    const size = [...known.values()].reduce((sum, slot) => sum + slot.names.size, names.size);
    if (size > MOST_KEPT) known.clear();
    const slot = knownOf(entry);
    known.set(slotKey(entry), { ...slot, names: new Set([...slot.names, ...names]) });
  }

  const ask = groupCommit<{ entry: OccurrenceEntry; name: string }, boolean>({
    async commit(asked) {
      const [{ entry }] = asked as [(typeof asked)[0]];
      const names = await readPacks(access, entry);
      keep(entry, names);
      return asked.map(({ name }) => names.has(name));
    },
    clash: () => false,
    most: Number.POSITIVE_INFINITY,
  });
  return {
    knows: (entry, name) => knownOf(entry).names.has(name),
    has: (entry, name) => ask(`${slotKey(entry)} ${entry.checkAtMs}`, { entry, name }),
  };
}

/**
 * The entries in packs of an entry's slot, and their series. Key: the part of the bucket from the entry's
 * time to the end of its slot. Consistent. Cost: 1 read unit each 4 KB, single rows of later times included.
 */
async function readPacks(access: EntryAccess, entry: OccurrenceEntry): Promise<Set<string>> {
  const { shard, checkAtMs } = entry;
  const { after: first, before } = packsAround(entry);
  const names = new Set<string>();
  for (let after: string | undefined = first; after !== undefined;) {
    const range = { minute: minuteOf(checkAtMs), shard, after, before, limit: ROWS_A_PAGE };
    const { entries, rowKeys, nextAfter }: Awaited<ReturnType<typeof readBucket>> = await readBucket(
      access,
      range,
    );
    for (const [index, one] of entries.entries()) {
      if (one.kind !== 'occurrence' || !isPackName(rowKeys[index]!)) continue;
      names.add(entrySortKey(one)).add(seriesOf(one));
    }
    after = nextAfter;
  }
  return names;
}
