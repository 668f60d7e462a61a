import { createHash } from 'node:crypto';

import { groupBy } from '../../async/group-by';
import {
  compactInstant,
  minuteOf,
  parseCompactInstant,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import { type Entry, entryBucketKey, entrySortKey, type OccurrenceEntry } from '../../domain/entry';
import type { Row } from './access';

const PACK_VERSION = 1;
/**
 * Entries of one slot may share a row. They are rechecked with the last of them, so a recheck comes up to a
 * slot later. With slots of a minute, a takeover would come after its 75 s.
 */
export const SLOT_MS = 10_000;
/** A row with its keys then takes at most four write units. */
const MOST_BYTES = 3_900;
/** One job of so many ends a pack. So an entry more changes its pack, and not all later ones. */
const JOBS_A_BORDER = 32;
const KEPT_AFTER_CHECK_SEC = 7 * 86_400;
/** Sorts after `#`, which follows the time in other sort keys. */
const OF_PACK = '=';
const NAME = /^(\d{8}T\d{6}\.\d{3}Z)=[\w-]{22}$/;

/** One entry in a pack. Times are relative, because small rows make cheap packs. */
type Packed = [
  slotEndsInMs: number,
  jobKey: string,
  revision: string,
  generation: number,
  runsBefore: number,
  dueMsBefore: number,
  offsetsMs?: readonly number[],
];

/** When TTL removes the row of an entry. It follows from the entry, so the same entry is the same row. */
export const expiresAtSecOf = ({ checkAtMs }: Pick<Entry, 'checkAtMs'>): number =>
  Math.floor(checkAtMs / 1_000) + KEPT_AFTER_CHECK_SEC;

/** Whether an entry may share a row: an occurrence that the scanner reads, as its series planned it. */
export const isPackable = (entry: Entry): entry is OccurrenceEntry =>
  entry.kind === 'occurrence' && !entry.catchUp && !entry.restDecided && entry.rechecks === undefined;

export const slotOf = (checkAtMs: number): number => Math.floor(checkAtMs / SLOT_MS);

/**
 * Packs entries of one bucket and slot into as few rows as their borders allow. What would be alone in its
 * pack is returned as it is: a row of its own can be found and deleted by its key.
 *
 * A pack is named by its content, and never changes. A pass with an older view of jobs adds another pack, and
 * takes no entry away (docs/adr/0054-packs.md).
 */
export function packsOf(entries: readonly Entry[]): { packs: Row[]; alone: Entry[] } {
  const once = new Map(entries.map((entry) => [`${entryBucketKey(entry)} ${entrySortKey(entry)}`, entry]));
  const packable = [...once.values()].filter(isPackable);
  const alone: Entry[] = [...once.values()].filter((entry) => !isPackable(entry));
  const packs: Row[] = [];
  const bySlot = groupBy(packable, (entry) => `${entryBucketKey(entry)} ${slotOf(entry.checkAtMs)}`);
  for (const slot of bySlot.values()) {
    for (const some of betweenBorders(inOrder(slot))) {
      if (some.length > 1) packs.push(packRowOf(some));
      else alone.push(some[0]!.entry);
    }
  }
  return { packs, alone };
}

interface Text {
  entry: OccurrenceEntry;
  text: string;
}

/** In the order of the times, so that a pack has the time of its last entry. */
const inOrder = (entries: readonly OccurrenceEntry[]): OccurrenceEntry[] =>
  entries
    .map((entry) => ({ entry, key: entrySortKey(entry) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ entry }) => entry);

function betweenBorders(entries: readonly OccurrenceEntry[]): Text[][] {
  const all: Text[][] = [];
  let open: Text[] = [];
  let bytes = 0;
  const close = () => {
    if (open.length > 0) all.push(open);
    [open, bytes] = [[], 0];
  };
  for (const entry of entries) {
    const text = JSON.stringify(packed(entry));
    const more = Buffer.byteLength(text) + 1;
    if (bytes + more > MOST_BYTES) close();
    open.push({ entry, text });
    bytes += more;
    if (isBorder(entry.jobKey)) close();
  }
  close();
  return all;
}

const isBorder = (jobKey: string): boolean =>
  createHash('sha256').update(jobKey).digest().at(-1)! % JOBS_A_BORDER === 0;

function packed(entry: OccurrenceEntry): Packed {
  const { jobKey, revision, generation, runsBefore, checkAtMs, dueAtMs, offsetsMs } = entry;
  const endsInMs = (slotOf(checkAtMs) + 1) * SLOT_MS - checkAtMs;
  const others = offsetsMs?.length ? ([offsetsMs] as const) : ([] as const);
  return [endsInMs, jobKey, revision, generation, runsBefore, checkAtMs - dueAtMs, ...others];
}

function packRowOf(some: readonly Text[]): Row {
  const last = some.at(-1)!.entry;
  const pack = `[${some.map(({ text }) => text).join(',')}]`;
  return {
    [SCHEDULE_KEY.partition]: entryBucketKey(last),
    [SCHEDULE_KEY.sort]: nameOf(last.checkAtMs, pack),
    [TTL_ATTRIBUTE]: expiresAtSecOf(last),
    v: PACK_VERSION,
    pack,
  };
}

/** Sorts after the entries of its instant that have rows of their own, and before those of the next one. */
const nameOf = (checkAtMs: number, pack: string): string =>
  `${compactInstant(checkAtMs)}${OF_PACK}${hashOf(pack)}`;

const hashOf = (pack: string): string => createHash('sha256').update(pack).digest('base64url').slice(0, 22);

/** Whether a sort key is that of a pack. */
export const isPackName = (sortKey: string): boolean => NAME.test(sortKey);

/**
 * The entries of a pack, in the order of their times. Undefined if the row is no pack of this version, or is
 * damaged: then its name does not fit.
 */
export function packedEntriesOf(row: Row, minute: number, shard: number): Entry[] | undefined {
  const { [SCHEDULE_KEY.sort]: name, v, pack } = row;
  if (v !== PACK_VERSION || typeof name !== 'string' || typeof pack !== 'string') return undefined;
  const checkAtMs = parseCompactInstant(name);
  if (minuteOf(checkAtMs) !== minute || nameOf(checkAtMs, pack) !== name) return undefined;
  const slotEndMs = (slotOf(checkAtMs) + 1) * SLOT_MS;
  return (JSON.parse(pack) as Packed[]).map((one) => unpacked(one, slotEndMs, shard));
}

function unpacked(
  [endsInMs, jobKey, revision, generation, runsBefore, dueMsBefore, offsetsMs]: Packed,
  slotEndMs: number,
  shard: number,
): OccurrenceEntry {
  const checkAtMs = slotEndMs - endsInMs;
  const dueAtMs = checkAtMs - dueMsBefore;
  return {
    kind: 'occurrence',
    jobKey,
    shard,
    checkAtMs,
    generation,
    revision,
    dueAtMs,
    throughMs: dueAtMs + (offsetsMs?.at(-1) ?? 0),
    runsBefore,
    ...(offsetsMs && { offsetsMs }),
  };
}

/**
 * Sort keys around the packs that may have an entry: those of its slot, from its own time on. Rows of single
 * entries at that very time lie before them.
 */
export const packsAround = ({ checkAtMs }: Pick<Entry, 'checkAtMs'>): { after: string; before: string } => ({
  after: `${compactInstant(checkAtMs)}${OF_PACK}`,
  before: compactInstant((slotOf(checkAtMs) + 1) * SLOT_MS),
});
